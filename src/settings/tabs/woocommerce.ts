// Settings tab `woocommerce`: how the designer stands in the shop.
import { checkbox, number, onScreen, radio, section, select, setting, tab } from '../kinds.ts'

/** Places on the product page. */
const positions = [
  'under-title',
  'under-short-desc',
  'before-add-to-cart-button',
  'after-add-to-cart-button',
  'after-summary',
  'custom-hook',
]

export const woocommerce = tab('woocommerce', [
  section('product-page', 'Product Page', [
    select('svc_placement', 'Product Designer Position', 'svc-replace-image', {
      choices: ['svc-replace-image', 'under-title', 'after-summary', 'custom-hook'],
    }).says('Where the designer stands on the product page.'),
    select('svc_start_customizing_button_position', 'Customization Button Position', 'under-short-desc', {
      choices: positions,
    }).says('Where the button that starts the customization stands on the product page.'),
    checkbox('svc_hide_product_image', 'Hide Product Image').says(
      "Hides the product's picture on pages with a designer.",
    ),
    checkbox('svc_fullwidth_summary', 'Fullwidth Summary').says(
      "Gives the product's summary the full width of the page.",
    ),
    checkbox('svc_get_quote', 'Get a quote').says('Replaces adding to the cart by a request for a quote.'),
    checkbox('svc_wc_customize_variation_needed', 'Customize Button: Variation Needed').says(
      'Enables the customize button only after a variation was chosen.',
    ),
    checkbox('svc_wc_disable_price_calculation', 'Disable Price Calculation').says(
      'Leaves the price of the product as it is, whatever was added in the designer.',
    ),
    radio('svc_wc_add_to_cart_product_load', 'Add-to-Cart: Load...', 'customized-product', {
      format: 'word',
    }).says('What the designer shows after the product was added to the cart.'),
    checkbox('svc_wc_ajax_add_to_cart_mode', 'AJAX Add-to-cart Mode').says(
      'Adds customized products to the cart without loading the page anew.',
    ),
    checkbox('svc_lightbox_update_product_image', 'Update Product Image', true).says(
      "Replaces the product's picture by the design when the lightbox is closed.",
    ),
    checkbox('svc_lightbox_add_to_cart', 'Add-to-Cart').says(
      'Adds the product to the cart when the lightbox is closed by its button.',
    ),
  ]),
  section('cart', 'Cart', [
    radio('svc_cart_show_element_props', 'Element Properties Summary', 'none', {
      choices: ['props', 'used_colors', 'none'],
    }).says('What the cart tells about the elements of a customized product.'),
    checkbox('svc_cart_custom_product_thumbnail', 'Customized Product Thumbnail', true).says(
      "Shows the design instead of the product's picture in the cart.",
    ),
    number('svc_wc_cart_thumbnail_width', 'Thumbnail Width', 100, onScreen).says(
      "Width in pixels of the design's picture in the cart.",
    ),
    number('svc_wc_cart_thumbnail_height', 'Thumbnail Height', 100, onScreen).says(
      "Height in pixels of the design's picture in the cart.",
    ),
  ]),
  section('order', 'Order', [
    radio('svc_order_show_element_props', 'Element Properties Summary', 'none', {
      choices: ['props', 'used_colors', 'none'],
    }).says('What an order tells about the elements of a customized product.'),
    checkbox('svc_order_email_customization_link', 'Customization Link', true).says(
      'Adds a link to the customized product to the mails of an order.',
    ),
    checkbox('svc_order_product_thumbnail', 'Customized Product Thumbnail').says(
      "Shows the design in the order's details and mails.",
    ),
    checkbox('svc_order_login_required', 'Login Required', true).says(
      'Shows the design of an order only to the customer who is logged in.',
    ),
    checkbox('svc_order_save_order', 'Save Order Button', true).says(
      'Lets customers change the design of their order and save it.',
    ),
  ]),
  section('catalog-listing', 'Catalog Listing', [
    // The default is that of the CMS, although its own screen offers only the choices. It can be sent back like them.
    radio('svc_catalog_button_position', 'Customize Button Position', 'svc-replace-add-to-cart', {
      choices: ['replace-add-to-cart', 'item-end'],
    }).says('Where the customize button stands in catalog listings.'),
  ]),
  section('global-product-designer', 'Global Product Designer', [
    checkbox('svc_global_product_designer', 'Enable Global Product Designer').says(
      'Opens the designer for all products of the shop, even those without one of their own.',
    ),
    radio('svc_global_source_type', 'Source Type', 'category', { choices: ['category', 'product'] }).says(
      'Whether the global designer shows products of the selected categories or the selected products.',
    ),
    setting('select-sortable', 'svc_global_product_categories', 'Product Categories', []).says(
      'Product categories that the global designer shows, in order.',
    ),
    setting('select-sortable', 'svc_global_products', 'Products', []).says(
      'Products that the global designer shows, in order.',
    ),
  ]),
  section('cross-sells', 'Cross-Sells', [
    select('svc_cross_sells_display', 'Cross-Sells Display', 'none', {
      choices: ['none', ...positions],
    }).says("Where other products with the customer's design are suggested."),
    checkbox('svc_cross_sells_overlay_image', 'Overlay Image of the design').says(
      "Lays the customer's design over the pictures of suggested products.",
    ),
  ]),
])
