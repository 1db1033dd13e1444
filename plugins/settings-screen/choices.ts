// Labels for the choices of the built-in settings. Choices of a host's settings are shown as they are.
import { settingsCatalog } from '../../src/settings/catalog.ts'
import { remoteStorages } from '../../src/storage/remote-storages.ts'

/** Labels by choice; a choice that means something else in one setting has an entry with its key before it. */
const labels = new Map(
  Object.entries({
    default: 'Default',
    left: 'Left',
    center: 'Center',
    right: 'Right',
    top: 'Top',
    bottom: 'Bottom',
    none: 'None',
    any: 'Any',
    all: 'All',
    page: 'On the product page',
    lightbox: 'In a lightbox',
    'page-customize': 'On a page of its own',
    'svc-replace-image': 'In place of the product picture',
    'under-title': 'Below the title',
    'under-short-desc': 'Below the short description',
    'before-add-to-cart-button': 'Before the “Add to cart” button',
    'after-add-to-cart-button': 'After the “Add to cart” button',
    'after-summary': 'After the summary',
    'custom-hook': 'Where a hook of the theme is',
    shortcode: 'Where the shortcode is',
    after_product_title: 'After the title',
    after_excerpt: 'After the short description',
    'replace-add-to-cart': 'In place of “Add to cart”',
    'item-end': 'At the end of the item',
    category: 'Category',
    product: 'Product',
    props: 'Properties of the elements',
    used_colors: 'Colors in use',
    advanced: 'Advanced',
    basic: 'Basic',
    inside: 'Stays inside',
    clipping: 'Cut at the box',
    limitModify: 'Cannot be moved or scaled beyond it',
    fit: 'Fits inside',
    cover: 'Covers',
    canvas: 'Canvas',
    pb: 'Print area',
    pinchPanCanvas: 'Pinching moves the canvas',
    pinchImageScale: 'Pinching scales the picture',
    'svg-pdf': 'PDF',
    svg: 'SVG',
    'svc_auto_print_types shortcode': 'The shortcode form',
    wc: 'Shop',
    gf: 'Forms',
    single: 'A file for each item',
    sheet: 'Sheets with all pieces of an order',
    private: 'The owner alone',
    'public-read': 'Everybody',
    'authenticated-read': 'All AWS accounts',
    'aws-exec-read': 'The owner, and Amazon EC2',
    'bucket-owner-read': 'The owner of the bucket as well',
    'bucket-owner-full-control': 'The owner of the bucket as well, who may change it',
    'svc_ae_s3_acl none': 'As the bucket says',
    px: 'Pixels',
    mm: 'Millimetres',
    cm: 'Centimetres',
    in: 'Inches',
    inch: 'Inches',
    pdf: 'PDF',
    png: 'PNG',
    jpeg: 'JPEG',
    zip_pdf_fonts: 'ZIP with the PDF and its fonts',
    zip_pdf_custom_images: 'ZIP with the PDF and the customer’s pictures',
    ...Object.fromEntries(remoteStorages.map(({ name, label }) => [name, label])),
  }),
)

/** The keys of the built-in settings; filled at the first page, so that registering the plugin need not make them. */
let builtIn: ReadonlySet<string> | undefined

/** The label of a choice of the setting with this key. */
export function choiceLabel(id: string, choice: string): string {
  builtIn ??= new Set(settingsCatalog().all.map((setting) => setting.id))
  return (builtIn.has(id) ? (labels.get(`${id} ${choice}`) ?? labels.get(choice)) : undefined) ?? choice
}
