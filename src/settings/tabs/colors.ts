// Settings tab `colors`: names, prices and lists of colors.
import type { SettingsTab } from '../setting.ts'

export const colors: SettingsTab = {
  tab: 'colors',
  sections: [
    {
      section: 'color-names',
      sectionLabel: 'Color Names',
      settings: [
        {
          id: 'svc_hex_names',
          type: 'values-group',
          label: 'Color Names',
          default: '',
          format: 'color-names',
          description: 'Names of colors as hex:name pairs without #, separated by commas.',
        },
      ],
    },
    {
      section: 'color-prices',
      sectionLabel: 'Color Prices',
      settings: [
        {
          id: 'svc_enable_text_color_prices',
          type: 'checkbox',
          label: 'Enable for Texts',
          default: false,
          description: 'Adds the price of a color when it is used for a text.',
        },
        {
          id: 'svc_enable_image_color_prices',
          type: 'checkbox',
          label: 'Enable for Images',
          default: false,
          description: 'Adds the price of a color when it is used for an image.',
        },
        {
          id: 'svc_color_prices',
          type: 'values-group',
          label: 'Color Prices',
          default: '',
          format: 'color-prices',
          description: 'Prices of colors as hex:price pairs without #, separated by commas.',
        },
      ],
    },
    {
      section: 'color-lists',
      sectionLabel: 'Color Lists',
      settings: [
        {
          id: 'svc_color_lists',
          type: 'color-lists',
          label: 'Color Lists',
          default: {},
          description: 'Named lists of colors: slug to name and colors.',
        },
      ],
    },
    {
      section: 'color-general',
      sectionLabel: 'General',
      settings: [
        {
          id: 'svc_color_colorPickerPalette',
          type: 'multi-color-input',
          label: 'Color Picker Swatches',
          default: '',
          format: 'swatches',
          description: 'Colors that the color picker shows as swatches, separated by commas.',
        },
      ],
    },
    {
      section: 'color-library',
      sectionLabel: 'Color Library',
      settings: [
        {
          id: 'svc_color_library',
          type: 'color-library',
          label: 'Color Library',
          default: {},
          readOnly: true,
          description: 'Named colors and palettes; read and written at /color-library only.',
        },
      ],
    },
  ],
}
