// Settings tab `addons`: additional modules.
import type { SettingsTab } from '../setting.ts'

export const addons: SettingsTab = {
  tab: 'addons',
  sections: [
    {
      section: 'dynamic-views',
      sectionLabel: 'Dynamic Views',
      settings: [
        {
          id: 'svc_enableDynamicViews',
          type: 'checkbox',
          label: 'Enable Dynamic Views',
          default: false,
          description: 'Lets customers add, remove and resize views.',
        },
        {
          id: 'svc_dynamic_views_pricePerArea',
          type: 'number',
          label: 'Price Per CM2',
          default: 0,
          minimum: 0,
          maximum: 1_000_000,
          description: 'Price of each square centimeter of a view.',
        },
        {
          id: 'svc_dynamic_views_unit',
          type: 'select',
          label: 'Unit Of Length',
          default: 'mm',
          choices: ['mm', 'cm', 'inch'],
          description: 'Unit in which customers enter the size of a view.',
        },
        {
          id: 'svc_dynamic_views_formats',
          type: 'values-group',
          label: 'Predefined Formats',
          default: '',
          format: 'sizes',
          description:
            'Sizes that customers can choose for a view, as width:height pairs separated by commas.',
        },
        {
          id: 'svc_dynamic_views_minWidth',
          type: 'number',
          label: 'Minimum Width',
          default: 0,
          minimum: 0,
          maximum: 1_000_000,
          description: 'Smallest width of a view, in the unit of length.',
        },
        {
          id: 'svc_dynamic_views_minHeight',
          type: 'number',
          label: 'Minimum Height',
          default: 0,
          minimum: 0,
          maximum: 1_000_000,
          description: 'Smallest height of a view, in the unit of length.',
        },
        {
          id: 'svc_dynamic_views_maxWidth',
          type: 'number',
          label: 'Maximum Width',
          default: 1000,
          minimum: 0,
          maximum: 1_000_000,
          description: 'Largest width of a view, in the unit of length.',
        },
        {
          id: 'svc_dynamic_views_maxHeight',
          type: 'number',
          label: 'Maximum Height',
          default: 1000,
          minimum: 0,
          maximum: 1_000_000,
          description: 'Largest height of a view, in the unit of length.',
        },
      ],
    },
    {
      section: 'color-selection',
      sectionLabel: 'Color Selection',
      settings: [
        {
          id: 'svc_color_selection_placement',
          type: 'select',
          label: 'Placement',
          default: '',
          description: 'Where the color selection stands on the product page; empty for nowhere.',
        },
      ],
    },
    {
      section: 'bulk-variations',
      sectionLabel: 'Bulk Variations',
      settings: [
        {
          id: 'svc_bulkVariationsPlacement',
          type: 'select',
          label: 'Placement',
          default: '',
          description:
            'Where the form for ordering several variations stands on the product page; empty for nowhere.',
        },
        {
          id: 'svc_bulkVariations_written',
          type: 'text',
          label: 'Variations',
          default: '',
          description: 'Variations of the bulk form: attributes with their values, separated by semicolons.',
        },
      ],
    },
    {
      section: 'pricing-rules',
      sectionLabel: 'Pricing Rules',
      settings: [
        {
          id: 'svc_pricing_rules',
          type: 'multiselect',
          label: 'Pricing Rule Groups',
          default: [],
          description: 'Groups of pricing rules that apply to all products.',
        },
      ],
    },
    {
      section: '3d-preview',
      sectionLabel: '3D Preview',
      settings: [
        {
          id: 'svc_3d_preview_placement',
          type: 'select',
          label: 'Placement',
          default: 'designer',
          description: 'Where the three-dimensional preview stands.',
        },
      ],
    },
    {
      section: 'view-thumbnails',
      sectionLabel: 'View Thumbnails',
      settings: [
        {
          id: 'svc_view_thumbnails_placement',
          type: 'select',
          label: 'Placement',
          default: 'none',
          description: 'Where the thumbnails of the views stand.',
        },
      ],
    },
  ],
}
