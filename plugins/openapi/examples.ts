// Examples in the document: request bodies, which tests send, and responses that are made from their schemas.
import { membersOf } from '../../src/core/foreign.ts'
import { designComponents } from '../../src/mcp/design-parts.ts'
import type { Json } from './schemas.ts'

const design = { title: 'Front', elements: [{ type: 'text', title: 'Name', source: 'Ada' }] }
const notification = {
  print_job_id: '5f0c7c0e-6f7e-4d62-9c39-0c1d2f3a4b5c',
  file_url: 'https://router.example/files/order-7.pdf',
}

/** JSON bodies by operation. */
const requestExamples: Readonly<Record<string, Json>> = {
  create_product: { title: 'Mug', options: { stageWidth: 800, stageHeight: 600 } },
  update_product: { title: 'Cup' },
  add_product_view: design,
  update_view: { title: 'Back' },
  duplicate_view: { title: 'Front, second version' },
  create_category: { title: 'Drinkware' },
  update_category: { title: 'Mugs and cups' },
  update_settings: { svc_ae_cloud: 'none', svc_api_fonts_enabled: true },
  create_text_template: { text: 'Happy birthday' },
  replace_text_templates: { templates: [{ text: 'Happy birthday' }, { text: 'Welcome' }] },
  update_text_template: { text: 'Happy new year' },
  save_color_library: {
    colors: [{ id: 'c1', hex: '#cc3300', name: 'Brick' }],
    palettes: [{ id: 'p1', name: 'Warm', colorIds: ['c1'] }],
  },
  create_design_category: { title: 'Birthdays' },
  update_design_category: { title: 'Parties' },
  create_pricing_rule: { name: 'Long texts', data: {} },
  update_pricing_rule: { name: 'Very long texts' },
  create_print_profile: { name: 'Offset', data: {} },
  update_print_profile: { name: 'Offset, coated' },
  duplicate_print_profile: { name: 'Offset, second version' },
  set_print_profile_master: { is_master: true },
  create_user_interface: { name: 'Compact' },
  update_user_interface: { name: 'Very compact' },
  update_order: { type: 'shortcode', order: [design] },
  export_order: { type: 'shortcode' },
  create_shortcode_order: {
    customer_name: 'Ada',
    customer_mail: 'ada@shop.example',
    views: [design],
  },
  update_shortcode_order: { customer_name: 'Ada Lovelace' },
  announce_print_file: notification,
  put_print_file: notification,
  patch_print_file: notification,
}

/** The keyword `example` of a request body; none for forms, because files are not text. @param id of the operation @param type media type */
export function requestExample(id: string, type: string): Json {
  const example = requestExamples[id]
  return example === undefined || type === 'multipart/form-data' ? {} : { example }
}

/** Operations whose responses have properties `default` and `type`, so that linters would mistake an example for a schema. */
const withoutExample = new Set(['list_settings', 'get_settings_group'])

/**
 * The keyword `example` of a success.
 * @param data schema of `data`
 * @param schemas that references lead to, by name
 */
export function responseExample(id: string, data: Json, schemas: Readonly<Record<string, Json>>): Json {
  if (withoutExample.has(id)) return {}
  const meta = data.type === 'array' ? { meta: { total: 1 } } : {}
  return { example: { success: true, data: sample(data, '', schemas), ...meta } }
}

/** Example strings by property; the example of another property is its name. */
const strings: Readonly<Record<string, string>> = {
  title: 'Mug',
  name: 'Offset',
  thumbnail: 'https://shop.example/wp-content/uploads/mug.png',
  hex: '#cc3300',
  customer_name: 'Ada',
  customer_mail: 'ada@shop.example',
  text: 'Happy birthday',
  key: '2026/11/7f3a.png',
  filename: '7f3a.png',
  file: 'order-7.pdf',
  mime_type: 'image/png',
  warning: 'Metadata were removed.',
  order_type: 'shortcode',
  print_job_id: notification.print_job_id,
  guid: notification.print_job_id,
  order_number: '7',
  created_date: '2026-11-22T09:30:00Z',
  created_at: '2026-11-22 09:30:00',
  status: 'completed',
  version: '0.1.0',
  api_namespace: 'svc/v1',
  site_url: 'https://shop.example',
  rest_base: 'https://shop.example/wp-json',
}

/** Examples of designs from the design format. An example made of all properties would be no valid design. */
const designExamples = designComponents as Readonly<Record<string, { examples?: object[] }>>

/** An example value of a schema. @param name of the property that has it; '' at the top */
function sample(schema: Json, name: string, schemas: Readonly<Record<string, Json>>): unknown {
  const { $ref, const: only, enum: choices, anyOf, type, items, properties, minimum, examples } = schema
  if (typeof $ref === 'string') {
    const target = $ref.slice($ref.lastIndexOf('/') + 1)
    const [example] = designExamples[target]?.examples ?? []
    return example ?? sample(schemas[target] ?? {}, name, schemas)
  }
  if (only !== undefined) return only
  if (Array.isArray(examples)) return examples[0]
  if (Array.isArray(choices)) return choices[0]
  if (Array.isArray(anyOf)) return sample(anyOf[0] as Json, name, schemas)
  switch ([type].flat()[0]) {
    case 'integer':
    case 'number':
      return Math.max(Number(minimum ?? 0), 1)
    case 'boolean':
      return true
    case 'string':
      return strings[name] ?? (/url|src/.test(name) ? `https://shop.example/${name}` : name || 'text')
    case 'array':
      return Object.keys(membersOf(items)).length === 0 ? [] : [sample(items as Json, name, schemas)]
    case 'object':
      return Object.fromEntries(
        Object.entries(membersOf(properties) as Record<string, Json>)
          .filter(([key]) => key !== 'unreadable' && key !== 'masked')
          .map(([key, property]) => [key, sample(property, key, schemas)]),
      )
    default:
      return null
  }
}
