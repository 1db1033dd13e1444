// The groups of operations, as the document presents them.

export const tags: Record<string, string> = {
  system: 'The installation, its toggles and counts.',
  products: 'Products, and the views of a product.',
  views: 'Single views: one printable side of a product.',
  categories: 'Categories of products.',
  'design-categories': 'Categories of ready-made designs, and the designs themselves.',
  assets: 'Uploaded pictures, drawings and documents.',
  fonts: 'Uploaded font families.',
  'color-library': 'Colors and palettes.',
  'text-templates': 'Ready-made texts.',
  'pricing-rules': 'Rules that add to the price of a customized product.',
  'print-profiles': 'Profiles with limits and options for print.',
  'user-interfaces': 'Layouts of the designer.',
  settings: 'Settings of the installation.',
  orders: 'Orders of the shop, of forms and of the shortcode, with their customizations.',
  'shortcode-orders': 'Orders that were placed by the shortcode.',
  'print-jobs': 'Print jobs and their files.',
  'print-ready': 'The webhook for finished print files.',
}
