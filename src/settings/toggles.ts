// The switches of the resource groups: which option enables and disables which group.

/** Option key by group. `products` switches /products and /views; groups that are always enabled have none. */
export const toggles = {
  products: 'svc_api_products_enabled',
  assets: 'svc_api_assets_enabled',
  categories: 'svc_api_categories_enabled',
  design_categories: 'svc_api_design_categories_enabled',
  pricing_rules: 'svc_api_pricing_rules_enabled',
  print_profiles: 'svc_api_print_profiles_enabled',
  user_interfaces: 'svc_api_user_interfaces_enabled',
  shortcode_orders: 'svc_api_shortcode_orders_enabled',
  print_jobs: 'svc_api_print_jobs_enabled',
  settings: 'svc_api_settings_enabled',
  fonts: 'svc_api_fonts_enabled',
  text_templates: 'svc_api_text_templates_enabled',
  color_library: 'svc_api_color_library_enabled',
} as const

export type Toggle = keyof typeof toggles

export const toggleNames = Object.keys(toggles) as Toggle[]

/** A missing row, `yes`, `1`, `true` and `on` mean enabled; anything else means disabled. */
export function isOn(stored: string | undefined): boolean {
  return stored === undefined || ['yes', '1', 'true', 'on'].includes(stored.trim().toLowerCase())
}
