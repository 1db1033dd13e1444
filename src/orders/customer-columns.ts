// The columns of the CMS and its plugins that contain a customer's address, or the id of the customer's account.

/** A column that contains an address, or the id of an account. */
export interface PersonalColumn {
  /** Without the prefix. */
  table: string
  /** Primary key. */
  id: string
  column: string
  /** Only rows whose key column has one of these values. */
  keys?: { column: string; among: readonly string[] }
  /** Column with the id of the order, entry or account that the row belongs to; default the primary key. */
  owner?: string
  /** Whether the address may stand inside a longer text. */
  isText?: boolean
  /** What a row is, in a few words. */
  what: string
}

type ColumnDetails = Pick<PersonalColumn, 'keys' | 'owner' | 'isText'>

/** Declares a column. @param place its table and name, such as `users.user_email` */
function personalColumn(
  place: string,
  id: string,
  what: string,
  details: ColumnDetails = {},
): PersonalColumn {
  const [table = '', name = ''] = place.split('.')
  return { table, id, column: name, what, ...details }
}

const keys = (...among: string[]) => ({ keys: { column: 'meta_key', among } })
const postMeta = (what: string, details: ColumnDetails) =>
  personalColumn('postmeta.meta_value', 'meta_id', what, details)
const text = (place: string, id: string, what: string) => personalColumn(place, id, what, { isText: true })

const orderAddress = 'address of an order of the shop'
/** What a row of an order in the trash is. */
export const trashedOrder = 'order of the shop in the trash, which the eraser of the shop skips'
const orderOfAccount = 'order of an account of the customer'

/** Columns with the address of an order of the shop, whose owner is the order. */
export const orderColumns: readonly PersonalColumn[] = [
  personalColumn('wc_orders.billing_email', 'id', 'order of the shop', { owner: 'id' }),
  personalColumn('wc_order_addresses.email', 'id', orderAddress, { owner: 'order_id' }),
  postMeta(orderAddress, { ...keys('_billing_email', '_shipping_email'), owner: 'post_id' }),
]

/** The column with the values of form entries, whose owner is the entry. */
export const formColumn: PersonalColumn = {
  ...text('gf_entry_meta.meta_value', 'id', 'entry of a form'),
  owner: 'entry_id',
}

/** The column with the address of an account. */
export const accountColumn = personalColumn('users.user_email', 'ID', 'account of the CMS', { owner: 'ID' })

/** Other columns that contain the address. */
export const otherColumns: readonly PersonalColumn[] = [
  personalColumn(
    'usermeta.meta_value',
    'umeta_id',
    'address of an account',
    keys('billing_email', 'shipping_email'),
  ),
  personalColumn('wc_customer_lookup.email', 'customer_id', 'customer in reports of the shop'),
  personalColumn('comments.comment_author_email', 'comment_ID', 'comment'),
  text('comments.comment_content', 'comment_ID', 'comment or note of an order that contains the address'),
  text('woocommerce_sessions.session_value', 'session_id', 'session of the shop'),
  postMeta('coupon of the shop', { ...keys('customer_email', '_used_by'), isText: true }),
  personalColumn(
    'woocommerce_downloadable_product_permissions.user_email',
    'permission_id',
    'permission to download from the shop',
  ),
  text('gf_entry_notes.value', 'id', 'note of an entry of a form'),
  text('actionscheduler_actions.args', 'action_id', 'scheduled action'),
]

/** Options are known by their names. */
export const optionColumn: PersonalColumn = {
  ...text('options.option_value', 'option_id', 'option that contains the address'),
  owner: 'option_name',
}

/** Columns with the id of an account. */
export const accountColumns: readonly PersonalColumn[] = [
  personalColumn('woocommerce_sessions.session_key', 'session_id', 'session of the shop'),
  postMeta('coupon of the shop', keys('_used_by')),
  personalColumn('wc_customer_lookup.user_id', 'customer_id', 'customer in reports of the shop'),
  personalColumn('gf_entry.created_by', 'id', 'entry of a form'),
  personalColumn('usermeta.user_id', 'umeta_id', 'logins of an account', keys('session_tokens')),
]

/** Columns with the account of an order. */
export const ordersOfAccounts: readonly PersonalColumn[] = [
  personalColumn('wc_orders.customer_id', 'id', orderOfAccount),
  postMeta(orderOfAccount, { ...keys('_customer_user'), owner: 'post_id' }),
]
