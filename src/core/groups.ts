// What each group of operations is: scopes, toggles, error codes, events, counts and documents derive from this table. In its
// order documents, scopes and settings list the groups.

/** The declaration of a group. */
export interface Declaration {
  /** Name in scopes and toggles, such as `pricing_rules`. Its tag in documents is `pricing-rules`. */
  name: string
  /** Path below the namespace, such as `/pricing-rules`. */
  path: string
  /** Path below the base URL; `/svc/v1` when absent. */
  namespace?: string
  /** Description of its tag in documents, one sentence; absent if no document names its routes. */
  tag?: string
  /** The setting that switches it off: the label of its own, or the group whose setting does. Absent: always on. */
  toggle?: { label: string } | { of: string }
  /** `login`: any valid token or login suffices, whatever its scopes. `public`: no token. Absent: a scope of its name. */
  access?: 'login' | 'public'
  /** Its error codes with their status and default message. */
  errors?: Readonly<Record<string, readonly [status: number, message: string]>>
  /** Code of the 404 of every operation whose path names one resource. */
  missing?: string
  /** Whether its stored values can always be read, so that it never responds with `svc_unreadable_value`. */
  readable?: true
  /** Names of the resources whose changes it reports. */
  events?: readonly string[]
  /** Names in the counts of `/system`, each with the table that is counted. */
  counts?: Readonly<Record<string, string>>
}

const table = [
  {
    name: 'system',
    path: '/system',
    tag: 'The installation, its toggles and counts.',
    readable: true,
  },
  {
    name: 'products',
    path: '/products',
    tag: 'Products, and the views of a product.',
    toggle: { label: 'Products API' },
    errors: {
      svc_product_not_found: [404, 'No product with this id.'],
    },
    missing: 'svc_product_not_found',
    events: ['product'],
  },
  {
    name: 'views',
    path: '/views',
    tag: 'Single views: one printable side of a product.',
    toggle: { of: 'products' },
    errors: {
      svc_view_not_found: [404, 'No view with this id.'],
    },
    missing: 'svc_view_not_found',
    events: ['view'],
    counts: { views: 'views' },
  },
  {
    name: 'assets',
    path: '/assets',
    tag: 'Uploaded pictures, drawings and documents.',
    toggle: { label: 'Assets API' },
    errors: {
      svc_asset_not_found: [404, 'No asset with this path.'],
    },
    missing: 'svc_asset_not_found',
    readable: true,
    events: ['asset'],
  },
  {
    name: 'categories',
    path: '/categories',
    tag: 'Categories of products.',
    toggle: { label: 'Product Categories API' },
    errors: {
      svc_category_not_found: [404, 'No product category with this id.'],
      svc_category_title_taken: [409, 'Another product category already has this title.'],
    },
    missing: 'svc_category_not_found',
    readable: true,
    events: ['category'],
    counts: { categories: 'categories' },
  },
  {
    name: 'design_categories',
    path: '/design-categories',
    tag: 'Categories of ready-made designs, and the designs themselves.',
    toggle: { label: 'Design Library API' },
    errors: {
      svc_design_category_not_found: [404, 'No design category with this id.'],
      svc_design_category_cycle: [400, 'A design category cannot be moved below one of its own descendants.'],
    },
    missing: 'svc_design_category_not_found',
    events: ['design_category'],
    counts: { design_categories: 'designs' },
  },
  {
    name: 'pricing_rules',
    path: '/pricing-rules',
    tag: 'Rules that add to the price of a customized product.',
    toggle: { label: 'Pricing Rules API' },
    errors: {
      svc_pricing_rule_not_found: [404, 'No pricing rule with this id.'],
      svc_pricing_rule_invalid: [422, 'The data of the pricing rule is invalid.'],
    },
    missing: 'svc_pricing_rule_not_found',
    events: ['pricing_rule'],
    counts: { pricing_rules: 'pricing_rules' },
  },
  {
    name: 'print_profiles',
    path: '/print-profiles',
    tag: 'Profiles with limits and options for print.',
    toggle: { label: 'Print Profiles API' },
    errors: {
      svc_print_profile_not_found: [404, 'No print profile with this id.'],
      svc_print_profile_is_master: [
        409,
        'The master print profile cannot be deleted; clear its master status first.',
      ],
    },
    missing: 'svc_print_profile_not_found',
    events: ['print_profile'],
    counts: { print_profiles: 'print_profiles' },
  },
  {
    name: 'user_interfaces',
    path: '/user-interfaces',
    tag: 'Layouts of the designer.',
    toggle: { label: 'User Interfaces API' },
    errors: {
      svc_user_interface_not_found: [404, 'No user interface layout with this id.'],
      svc_user_interface_is_default: [
        409,
        'One layout must always be the default; make another one the default first.',
      ],
    },
    missing: 'svc_user_interface_not_found',
    events: ['user_interface'],
    counts: { user_interfaces: 'user_interfaces' },
  },
  {
    name: 'orders',
    path: '/orders',
    tag: 'Orders of the shop, of forms and of the shortcode, with their customizations.',
    missing: 'svc_order_data_not_found',
    events: ['wc_order', 'gf_order', 'order', 'print_state'],
  },
  {
    name: 'shortcode_orders',
    path: '/shortcode-orders',
    tag: 'Orders that were placed by the shortcode.',
    toggle: { label: 'Shortcode Orders API' },
    errors: {
      svc_shortcode_order_not_found: [404, 'No shortcode order with this id.'],
    },
    missing: 'svc_shortcode_order_not_found',
    events: ['shortcode_order'],
    counts: { shortcode_orders: 'orders' },
  },
  {
    name: 'print_jobs',
    path: '/print-jobs',
    tag: 'Print jobs and their files.',
    toggle: { label: 'Print Jobs API' },
    missing: 'svc_print_job_not_found',
    events: ['print_job'],
    counts: { print_jobs: 'print_jobs' },
  },
  {
    name: 'settings',
    path: '/settings',
    tag: 'Settings of the installation.',
    toggle: { label: 'Settings API' },
    errors: {
      svc_settings_group_not_found: [404, 'No settings tab or section with this name.'],
    },
    missing: 'svc_settings_group_not_found',
    events: ['setting'],
  },
  {
    name: 'fonts',
    path: '/fonts',
    tag: 'Uploaded font families.',
    toggle: { label: 'Fonts API' },
    errors: {
      svc_font_not_found: [404, 'No font family with this name.'],
    },
    missing: 'svc_font_not_found',
    events: ['font'],
  },
  {
    name: 'text_templates',
    path: '/text-templates',
    tag: 'Ready-made texts.',
    toggle: { label: 'Text Templates API' },
    errors: {
      svc_text_template_not_found: [404, 'No text template at this index.'],
      svc_text_template_invalid: [422, 'The text template is invalid.'],
    },
    missing: 'svc_text_template_not_found',
    events: ['text_template'],
  },
  {
    name: 'color_library',
    path: '/color-library',
    tag: 'Colors and palettes.',
    toggle: { label: 'Color Library API' },
    errors: {
      svc_color_not_found: [404, 'No color with this id.'],
      svc_palette_not_found: [404, 'No palette with this id.'],
      svc_color_library_invalid: [400, 'The color library is invalid.'],
    },
    events: ['color_library'],
  },
  {
    name: 'openapi',
    path: '/openapi.json',
    access: 'login',
  },
  {
    name: 'print_ready',
    path: '',
    namespace: '/svc-export/v1.0',
    tag: 'The webhook for finished print files.',
    access: 'public',
    readable: true,
  },
] as const satisfies readonly Declaration[]

/** The declarations of all groups. */
export const groups: readonly Declaration[] = table

type Group = (typeof table)[number]
type CodeOf<G> = G extends { errors: infer E } ? keyof E & string : never
type EventOf<G> = G extends { events: readonly (infer E extends string)[] } ? E : never

/** The name of a group. */
export type GroupName = Group['name']
/** Groups of operations that can be granted one by one. */
export type ScopeGroup = Exclude<Group, { access: string }>['name']
/** Groups with a switch of their own. */
export type Toggle = Extract<Group, { toggle: { label: string } }>['name']
/** Error codes of single groups. */
export type GroupErrorCode = CodeOf<Group>
/** The name of a resource whose changes a group reports. */
export type GroupEvent = EventOf<Group>

/** The tag of a group in documents. */
export const tagOf = ({ name }: Declaration) => name.replaceAll('_', '-')
