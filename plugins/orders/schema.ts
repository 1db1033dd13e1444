// Schemas of orders, of their list and of their export in requests and responses. A `default` is applied to query parameters; in bodies
// it is documentation, and the handlers apply it.
import { Type } from '@sinclair/typebox'
import { PreflightFinding, previewQuery } from '../../src/http/preview.ts'
import {
  Enum,
  fieldsQuery,
  Id,
  includeQuery,
  JsonBlob,
  pageQuery,
  Search,
  StoredBlob,
  TextOrNull,
  Whole,
} from '../../src/http/schema.ts'
import { colorModes, dpiRange, outputFormats, pageForms } from '../../src/print/export-request.ts'

/** The names of order types, for descriptions. */
export const types = 'wc (shop orders), shortcode (sc) or gf (form entries)'
/** The type of an order in a request. An unknown name has an error code of its own, so the schema accepts any; `x-values` documents the known ones. */
export const OrderTypeName = (fallback: string) =>
  Type.Optional(
    Type.String({
      maxLength: 100,
      default: fallback,
      description: `Source: ${types}.`,
      'x-values': ['wc', 'shortcode', 'sc', 'gf'],
    }),
  )
/** The id of an item in a request. */
export const ItemId = Type.Optional(Whole(1, 'One item of the order.'))
/** The id of an item in a request for one design. */
const DesignItemId = Type.Optional(Whole(1, 'The item; required for type wc.'))
const ExportItemId = Type.Optional(Whole(1, 'The item; required for type wc, unless pages is sheet.'))
/** The id of an item in the body of PATCH, which can also address an item without its order. */
const WrittenItemId = Type.Optional(
  Whole(1, 'The item of a wc order. Without it, the id in the path is the id of the item.'),
)

const OrderNumber = Type.String({ description: 'Number of the shop order for people.' })

/** The data of `GET /orders/{id}` and of PATCH: one order with its designs. The list has `ListedOrder`, without designs. */
export const Order = Type.Object({
  order_id: Id,
  type: Type.String({ description: `As requested: ${types}.` }),
  order_number: Type.Optional(OrderNumber),
  status: Type.String({
    description: 'State of the order without the prefix wc-; active where it has none.',
  }),
  items: StoredBlob(
    'array',
    'item_id, item_key, of shop orders order_item (what was bought), and the customization of each item, as the designer wrote it',
  ),
})

/** The query of `GET /orders/{id}`. */
export const OrderQuery = Type.Object({
  ...fieldsQuery,
  type: OrderTypeName('wc'),
  item_id: ItemId,
  item_key: Type.Optional(
    Type.String({
      maxLength: 255,
      default: '_legacy_data',
      description:
        'Meta key of the data. The three generations are resolved together; any other key is read as it is.',
    }),
  ),
})

/** The query of `GET /orders/{id}/preview`. */
export const OrderPreviewQuery = Type.Object({
  type: OrderTypeName('wc'),
  item_id: DesignItemId,
  ...previewQuery,
})

/** How a file is made: properties that a preflight and an export share. */
const ExportForm = {
  output_format: Type.Optional(Enum(outputFormats, { description: 'Defaults to the export settings.' })),
  dpi: Type.Optional(Type.Integer({ ...dpiRange, description: 'Dots per inch of pictures.' })),
}

/** The query of `GET /orders/{id}/preflight`. */
export const OrderPreflightQuery = Type.Object({
  type: OrderTypeName('wc'),
  item_id: DesignItemId,
  ...ExportForm,
})

/** The URL of a print file of an order or item. */
const Url = TextOrNull('Newest completed print file.')

const IdOrNull = (description: string) => Type.Union([Id, Type.Null()], { description })

/** An item of a shop order in the list. */
const ListedItem = Type.Object({
  id: Id,
  item_id: Type.Integer({ description: 'The same as id.' }),
  name: Type.String({ description: 'Name of the item in the order.' }),
  sku: Type.String({ description: 'Of the variation, else of the product; "" if it has none.' }),
  product_id: IdOrNull('The product; null if the shop names none.'),
  variation_id: IdOrNull('The variation; null if the product has none.'),
  quantity: Type.Union([Type.Number(), Type.Null()], {
    description: 'Ordered pieces; null if the shop stores no number.',
  }),
  refunded: Type.Number({ description: 'Refunded pieces.' }),
  attributes: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Label of the attribute.' }),
      value: Type.String({ description: 'Its value as the shop shows it.' }),
    }),
    { description: 'Attributes of the variation and visible meta of the item, such as size and color.' },
  ),
  print_file_url: Url,
})

/** An order of the list: customer, items and files, but no designs. */
export const ListedOrder = Type.Object({
  id: Id,
  order_id: Type.Integer({ description: 'The same as id.' }),
  type: Type.Optional(
    Type.String({ description: 'Source of the order, in lists of type all: wc, shortcode or gf.' }),
  ),
  order_number: Type.Optional(OrderNumber),
  created_date: TextOrNull('ISO 8601 in UTC.'),
  status: Type.String({ description: 'Without the prefix wc-; active where orders have no state.' }),
  customer_name: Type.String({ description: 'Name of the customer; "" where none is known.' }),
  customer_mail: Type.String({ description: 'E-mail address of the customer; "" where none is known.' }),
  order_items: Type.Optional(Type.Array(ListedItem, { description: 'Customized items of a shop order.' })),
  print_file_url: Type.Optional(Url),
})

/** The query of the list. */
export const OrderListQuery = Type.Object({
  ...pageQuery,
  ...fieldsQuery,
  ...includeQuery,
  type: Type.Optional(
    Type.String({
      maxLength: 100,
      default: 'wc',
      description: `Source: ${types}; all lists the newest 1,000 orders of all sources.`,
      'x-values': ['wc', 'shortcode', 'sc', 'gf', 'all'],
    }),
  ),
  has_print_file: Type.Optional(
    Type.Boolean({
      description:
        'false: only orders of which something has none, in printable states unless status names others; true: only the others.',
    }),
  ),
  status: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'States separated by commas, such as processing,on-hold; any takes all.',
    }),
  ),
  search: Search(
    'Part of the order number, the customer name (either name first), the e-mail address, or the name or SKU of an item; no wildcards.',
  ),
})

/** The body of PATCH. */
export const OrderPatch = Type.Object({
  type: OrderTypeName('wc'),
  item_id: WrittenItemId,
  order: JsonBlob(
    'The whole customization, which replaces the stored one. An item as GET returns it may be sent back, or to another item',
  ),
})

/** The query of DELETE. Its default type is `shortcode`, the only one whose orders can be deleted. */
export const OrderDeleteQuery = Type.Object({ type: OrderTypeName('shortcode') })

/** The body of `POST /orders/{id}/export`. */
export const OrderExport = Type.Object({
  type: OrderTypeName('wc'),
  item_id: ExportItemId,
  ...ExportForm,
  include_font_files: Type.Optional(Type.Boolean({ description: 'Adds the fonts.' })),
  color: Type.Optional(Enum(colorModes, { description: 'Instead of what is configured.' })),
  summary_json: Type.Optional(Type.Boolean({ description: 'Adds a summary.' })),
  pages: Type.Optional(Enum(pageForms, { description: 'Several on a `sheet`.' })),
  mirror: Type.Optional(Type.Boolean({ description: 'Mirrors the pages.' })),
  outlines: Type.Optional(Type.Boolean({ description: 'Text as paths.' })),
  ticket: Type.Optional(Type.Boolean({ description: 'Adds tickets (HTML); gives a ZIP.' })),
})

/** The data of `POST /orders/{id}/export`: the print job that was started. */
export const ExportJob = Type.Object({
  print_job_id: Type.String({ description: 'GUID of the print job.' }),
  order_id: Id,
  order_type: Type.String({ description: `As requested: ${types}.` }),
  item_id: Type.Union([Id, Type.Null()], { description: 'The exported item; null for the whole order.' }),
  status: Type.String({
    description:
      'completed or failed if the job ended while the request waited, else processing; pending when the service did not respond in time.',
  }),
  file_url: TextOrNull('URL of the print file; null until it is stored.'),
  file: TextOrNull('Path of the print file below the folder of print files.'),
  findings: Type.Array(PreflightFinding, {
    description:
      'What the order says about its print, such as a state that is not printable; once the file is drawn, also what the renderer found.',
  }),
})
