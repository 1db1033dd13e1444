// One successful call of every operation, as a tool call and as the REST request that must give the same data.

/** `{name}` in a string stands for a value that differs between two hosts. */
export interface OperationCall {
  operation: string
  args: Record<string, unknown>
  /** Path below the namespace, or from the REST root for the webhook. */
  request: { method: string; path: string; body?: unknown }
  /** A file that goes with both. */
  file?: { filename: string; content: Uint8Array }
}

const get = (operation: string, path: string, args: Record<string, unknown> = {}): OperationCall => ({
  operation,
  args,
  request: { method: 'GET', path },
})

/** A write whose arguments are those of the path and the properties of the body. */
const write = (
  operation: string,
  [method, path]: readonly [method: string, path: string],
  ids: Record<string, unknown>,
  body?: Record<string, unknown>,
): OperationCall => ({
  operation,
  args: { ...ids, ...body },
  request: { method, path, ...(body && { body }) },
})

const view = (title: string) => ({ title, elements: [{ type: 'text', title: 'Name', source: 'Ada' }] })

const products = [
  write('create_product', ['POST', '/products'], {}, { title: 'Mug ✓', options: { width: 10 } }),
  write(
    'create_product',
    ['POST', '/products?include_views=true'],
    { include_views: true },
    { title: 'Cup' },
  ),
  get('list_products', '/products?search=mug&limit=5&order_by=title', {
    search: 'mug',
    limit: 5,
    order_by: 'title',
  }),
  get('list_products', '/products?include[]=1&include[]=2&fields=title', {
    include: [1, 2],
    fields: 'title',
  }),
  write(
    'update_product',
    ['PATCH', '/products/1?merge=false'],
    { id: 1, merge: false },
    { options: { a: 1 } },
  ),
  write('add_product_view', ['POST', '/products/1/views'], { id: 1 }, view('Front')),
  get('get_product', '/products/1?include_views=true', { id: 1, include_views: true }),
  get('get_product', '/products/1?fields=title', { id: 1, fields: 'title' }),
  get('list_product_views', '/products/1/views', { id: 1 }),
  get('get_view', '/views/1', { id: 1 }),
  write('update_view', ['PATCH', '/views/1'], { id: 1 }, { elements: [], options: { note: null } }),
  write('duplicate_view', ['POST', '/views/1/duplicate'], { id: 1 }, { title: 'Front, again' }),
  write('delete_view', ['DELETE', '/views/2'], { id: 2 }),
  write('delete_product', ['DELETE', '/products/2'], { id: 2 }),
]

const categories = [
  write('create_category', ['POST', '/categories'], {}, { title: 'Drinkware' }),
  write('update_category', ['PATCH', '/categories/1'], { id: 1 }, { products: [1] }),
  get('list_categories', '/categories?include_products=true', { include_products: true }),
  get('get_category', '/categories/1?include_products=true', { id: 1, include_products: true }),
  write('clear_category', ['POST', '/categories/1/clear'], { id: 1 }),
  write('delete_category', ['DELETE', '/categories/1'], { id: 1 }),
  write(
    'create_design_category',
    ['POST', '/design-categories'],
    {},
    { title: 'Birthdays', designs: [{ title: 'Cake', image: 'https://shop.example/cake.png' }] },
  ),
  get('list_design_categories', '/design-categories?limit=-1&only_roots=true', {
    limit: -1,
    only_roots: true,
  }),
  get('get_design_category', '/design-categories/1', { id: 1 }),
  write('update_design_category', ['PATCH', '/design-categories/1'], { id: 1 }, { title: 'Parties' }),
  write('delete_design_category', ['DELETE', '/design-categories/1'], { id: 1 }),
]

const library = {
  colors: [{ id: 'c1', hex: '#cc3300', name: 'Brick' }],
  palettes: [{ id: 'p1', name: 'Warm', colorIds: ['c1'] }],
}

const settings = [
  get('get_system_info', '/system'),
  get('list_settings', '/settings?search=cloud', { search: 'cloud' }),
  {
    operation: 'update_settings',
    args: { body: { svc_ae_cloud: 'none' } },
    request: { method: 'PATCH', path: '/settings', body: { svc_ae_cloud: 'none' } },
  },
  get('get_settings', '/settings/values?keys[]=svc_ae_cloud&keys[]=svc_s3_secret_access_key', {
    keys: ['svc_ae_cloud', 'svc_s3_secret_access_key'],
  }),
  get('get_settings_group', '/settings/groups/general', { tab: 'general' }),
  {
    operation: 'save_color_library',
    args: { body: library },
    request: { method: 'PUT', path: '/color-library', body: library },
  },
  get('get_color_library', '/color-library'),
  get('get_color_library_usages', '/color-library/usages?id=c1&type=color', { id: 'c1', type: 'color' }),
  write('create_text_template', ['POST', '/text-templates'], {}, { text: 'Happy birthday', font_size: 20 }),
  write(
    'replace_text_templates',
    ['PUT', '/text-templates'],
    {},
    { templates: [{ index: 0, text: 'Hi' }, { text: 'Welcome' }] },
  ),
  get('list_text_templates', '/text-templates'),
  get('get_text_template', '/text-templates/1', { index: 1 }),
  write('update_text_template', ['PATCH', '/text-templates/1'], { index: 1 }, { text_align: 'center' }),
  write('delete_text_template', ['DELETE', '/text-templates/0'], { index: 0 }),
]

const rules = [
  write('create_pricing_rule', ['POST', '/pricing-rules'], {}, { name: 'Long', data: { type: 'any' } }),
  get('list_pricing_rules', '/pricing-rules?offset=0&order_by=name%20DESC', {
    offset: 0,
    order_by: 'name DESC',
  }),
  get('get_pricing_rule', '/pricing-rules/1', { id: 1 }),
  write('update_pricing_rule', ['PATCH', '/pricing-rules/1'], { id: 1 }, { name: 'Very long' }),
  write('delete_pricing_rule', ['DELETE', '/pricing-rules/1'], { id: 1 }),
  write('create_print_profile', ['POST', '/print-profiles'], {}, { name: 'Offset', data: { dpi: 300 } }),
  write(
    'duplicate_print_profile',
    ['POST', '/print-profiles/1/duplicate?include_data=true'],
    { id: 1, include_data: true },
    { name: 'Offset 2' },
  ),
  write('set_print_profile_master', ['POST', '/print-profiles/1/master'], { id: 1 }, { is_master: true }),
  get('get_print_profile', '/print-profiles/master', { id: 'master' }),
  get('list_print_profiles', '/print-profiles?include_data=true', { include_data: true }),
  write('update_print_profile', ['PATCH', '/print-profiles/2'], { id: 2 }, { data: { dpi: 150 } }),
  write('delete_print_profile', ['DELETE', '/print-profiles/2'], { id: 2 }),
  write('create_user_interface', ['POST', '/user-interfaces'], {}, { name: 'Compact' }),
  get('list_user_interfaces', '/user-interfaces'),
  get('get_user_interface', '/user-interfaces/default?include_data=true', {
    id: 'default',
    include_data: true,
  }),
  write('create_user_interface', ['POST', '/user-interfaces'], {}, { name: 'Wide', is_default: true }),
  write('update_user_interface', ['PATCH', '/user-interfaces/1'], { id: 1 }, { name: 'Very compact' }),
  write('delete_user_interface', ['DELETE', '/user-interfaces/1'], { id: 1 }),
]

const upload = (
  operation: string,
  path: string,
  file: NonNullable<OperationCall['file']>,
): OperationCall => ({
  operation,
  args: {},
  request: { method: 'POST', path },
  file,
})

/** `{key}` is the key of the asset that was uploaded. */
const files = (picture: Uint8Array, font: Uint8Array) => [
  upload('upload_asset', '/assets', { filename: 'logo.png', content: picture }),
  get('list_assets', '/assets?type=png', { type: 'png' }),
  write('delete_asset', ['DELETE', '/assets/{encoded_key}'], { key: '{key}' }),
  upload('upload_font', '/fonts', { filename: 'Lobster.ttf', content: font }),
  get('list_fonts', '/fonts?search=lob', { search: 'lob' }),
  write('delete_font', ['DELETE', '/fonts/Lobster'], { name: 'Lobster' }),
]

const notification = (operation: string, method: string, job: string): OperationCall => ({
  operation,
  args: { guid: job, file_url: '{file_url}' },
  request: {
    method,
    path: `../../svc-export/v1.0/print_job/${job}`,
    body: { file_url: '{file_url}' },
  },
})

/** `{order}` and `{item}` name an order of the shop that can be printed, `{job1}` to `{job3}` pending print jobs, `{failed_job}` a failed one. */
const orders = [
  write(
    'create_shortcode_order',
    ['POST', '/shortcode-orders'],
    {},
    { customer_name: 'Ada', customer_mail: 'ada@shop.example', views: [view('Front')] },
  ),
  get('list_shortcode_orders', '/shortcode-orders?include_data=true', { include_data: true }),
  get('get_shortcode_order', '/shortcode-orders/1?include_data=true', { id: 1, include_data: true }),
  write('update_shortcode_order', ['PATCH', '/shortcode-orders/1'], { id: 1 }, { customer_name: 'Grace' }),
  get('list_orders', '/orders?type=wc', { type: 'wc' }),
  get('get_order', '/orders/{order}?item_id={item}', { id: '{order}', item_id: '{item}' }),
  write(
    'update_order',
    ['PATCH', '/orders/1'],
    { id: 1 },
    { type: 'shortcode', order: [view('Back'), view('Front')] },
  ),
  write(
    'export_order',
    ['POST', '/orders/{order}/export'],
    { id: '{order}' },
    { item_id: '{item}', output_format: 'png', dpi: 72 },
  ),
  get('get_order_preview', '/orders/{order}/preview?item_id={item}&width=80', {
    id: '{order}',
    item_id: '{item}',
    width: 80,
  }),
  get('get_order_preflight', '/orders/{order}/preflight?item_id={item}', {
    id: '{order}',
    item_id: '{item}',
  }),
  write('delete_order', ['DELETE', '/orders/1?type=shortcode'], { id: 1, type: 'shortcode' }),
  write('create_shortcode_order', ['POST', '/shortcode-orders'], {}, { views: [view('Front')] }),
  write('delete_shortcode_order', ['DELETE', '/shortcode-orders/2'], { id: 2 }),
  notification('announce_print_file', 'POST', '{job1}'),
  notification('put_print_file', 'PUT', '{job2}'),
  notification('patch_print_file', 'PATCH', '{job3}'),
  get('list_print_jobs', '/print-jobs?limit=10', { limit: 10 }),
  get('get_print_job', '/print-jobs/{job1}', { id: '{job1}' }),
  write('delete_print_job', ['DELETE', '/print-jobs/{job1}'], { id: '{job1}' }),
  write('retry_print_job', ['POST', '/print-jobs/{failed_job}/retry'], { id: '{failed_job}' }),
]

/** Previews of a view that can be drawn, which they add: `{view}` is its id. */
const previews = (drawable: Record<string, unknown>) => [
  write('add_product_view', ['POST', '/products/1/views'], { id: 1 }, { ...drawable, order: 0 }),
  get('get_product_preview', '/products/1/preview?width=80', { id: 1, width: 80 }),
  get('get_product_preflight', '/products/1/preflight', { id: 1 }),
  get('get_view_preview', '/views/{view}/preview?width=80', { id: '{view}', width: 80 }),
]

/** In an order in which all succeed. */
export const operationCalls = (given: {
  picture: Uint8Array
  font: Uint8Array
  drawable: Record<string, unknown>
}): OperationCall[] => [
  ...products,
  ...categories,
  ...settings,
  ...rules,
  ...files(given.picture, given.font),
  ...orders,
  ...previews(given.drawable),
]
