// Settings tab `colors`: names, prices and lists of colors.
import { checkbox, section, setting } from '../kinds.ts'
import type { SettingsTab } from '../setting.ts'

export const colors: SettingsTab = {
  tab: 'colors',
  sections: [
    section('color-names', 'Color Names', [
      setting('values-group', 'svc_hex_names', 'Color Names', '', { format: 'color-names' }).says(
        'Names of colors as hex:name pairs without #, separated by commas.',
      ),
    ]),
    section('color-prices', 'Color Prices', [
      checkbox('svc_enable_text_color_prices', 'Enable for Texts').says(
        'Adds the price of a color when it is used for a text.',
      ),
      checkbox('svc_enable_image_color_prices', 'Enable for Images').says(
        'Adds the price of a color when it is used for an image.',
      ),
      setting('values-group', 'svc_color_prices', 'Color Prices', '', { format: 'color-prices' }).says(
        'Prices of colors as hex:price pairs without #, separated by commas.',
      ),
    ]),
    section('color-lists', 'Color Lists', [
      setting('color-lists', 'svc_color_lists', 'Color Lists', {}).says(
        'Named lists of colors: slug to name and colors.',
      ),
    ]),
    section('color-general', 'General', [
      setting('multi-color-input', 'svc_color_colorPickerPalette', 'Color Picker Swatches', '', {
        format: 'swatches',
      }).says('Colors that the color picker shows as swatches, separated by commas.'),
    ]),
    section('color-library', 'Color Library', [
      setting('color-library', 'svc_color_library', 'Color Library', {}, { readOnly: true }).says(
        'Named colors and palettes; read and written at /color-library only.',
      ),
    ]),
  ],
}
