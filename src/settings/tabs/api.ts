// Settings tab `api`: the token of this API and which groups it serves.
import type { SettingsTab } from '../setting.ts'

export const api: SettingsTab = {
  tab: 'api',
  sections: [
    {
      section: 'token',
      sectionLabel: 'API Token',
      settings: [
        {
          id: 'svc_api_token',
          type: 'text',
          label: 'API Token',
          default: '',
          secret: true,
          readOnly: true,
          description:
            'Token that every request to the API carries; clearing it makes a new one. The API never gives it out.',
        },
      ],
    },
    {
      section: 'enabled-controllers',
      sectionLabel: 'Enabled Controllers',
      settings: [
        {
          id: 'svc_api_products_enabled',
          type: 'checkbox',
          label: 'Products API',
          default: true,
          description:
            'Serves /products and /views; switched off, these routes cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_assets_enabled',
          type: 'checkbox',
          label: 'Assets API',
          default: true,
          description: 'Serves /assets; switched off, this route cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_categories_enabled',
          type: 'checkbox',
          label: 'Product Categories API',
          default: true,
          description: 'Serves /categories; switched off, this route cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_design_categories_enabled',
          type: 'checkbox',
          label: 'Design Library API',
          default: true,
          description:
            'Serves /design-categories; switched off, this route cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_pricing_rules_enabled',
          type: 'checkbox',
          label: 'Pricing Rules API',
          default: true,
          description: 'Serves /pricing-rules; switched off, this route cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_print_profiles_enabled',
          type: 'checkbox',
          label: 'Print Profiles API',
          default: true,
          description: 'Serves /print-profiles; switched off, this route cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_user_interfaces_enabled',
          type: 'checkbox',
          label: 'User Interfaces API',
          default: true,
          description: 'Serves /user-interfaces; switched off, this route cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_shortcode_orders_enabled',
          type: 'checkbox',
          label: 'Shortcode Orders API',
          default: true,
          description: 'Serves /shortcode-orders; switched off, this route cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_print_jobs_enabled',
          type: 'checkbox',
          label: 'Print Jobs API',
          default: true,
          description: 'Serves /print-jobs; switched off, this route cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_settings_enabled',
          type: 'checkbox',
          label: 'Settings API',
          default: true,
          description: 'Serves /settings; switched off, this route cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_fonts_enabled',
          type: 'checkbox',
          label: 'Fonts API',
          default: true,
          description: 'Serves /fonts; switched off, this route cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_text_templates_enabled',
          type: 'checkbox',
          label: 'Text Templates API',
          default: true,
          description: 'Serves /text-templates; switched off, this route cannot be told from unknown ones.',
        },
        {
          id: 'svc_api_color_library_enabled',
          type: 'checkbox',
          label: 'Color Library API',
          default: true,
          description: 'Serves /color-library; switched off, this route cannot be told from unknown ones.',
        },
      ],
    },
  ],
}
