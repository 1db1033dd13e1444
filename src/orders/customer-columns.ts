// Where the CMS, the shop and the forms keep addresses and accounts of customers.

/** A column in which an address, or the id of an account, stands. */
export interface PersonalColumn {
  /** Without the prefix. */
  table: string
  id: string
  column: string
  keys?: { column: string; among: readonly string[] }
  /** Column of what the row belongs to. */
  owner?: string
  /** Whether the address may stand inside a longer text. */
  isText?: boolean
  what: string
}

type More = Pick<PersonalColumn, 'keys' | 'owner' | 'isText'>

/** @param place table and column */
function column(place: string, id: string, what: string, more: More = {}): PersonalColumn {
  const [table = '', name = ''] = place.split('.')
  return { table, id, column: name, what, ...more }
}

const keys = (...among: string[]) => ({ keys: { column: 'meta_key', among } })
const postMeta = (what: string, more: More) => column('postmeta.meta_value', 'meta_id', what, more)
const text = (place: string, id: string, what: string) => column(place, id, what, { isText: true })

const orderAddress = 'address of an order of the shop'
const orderOfAccount = 'order of an account of the customer'

export const orderColumns: readonly PersonalColumn[] = [
  column('wc_orders.billing_email', 'id', 'order of the shop', { owner: 'id' }),
  column('wc_order_addresses.email', 'id', orderAddress, { owner: 'order_id' }),
  postMeta(orderAddress, { ...keys('_billing_email', '_shipping_email'), owner: 'post_id' }),
]

export const formColumn: PersonalColumn = {
  ...text('gf_entry_meta.meta_value', 'id', 'entry of a form'),
  owner: 'entry_id',
}

export const accountColumn = column('users.user_email', 'ID', 'account of the CMS', { owner: 'ID' })

export const otherColumns: readonly PersonalColumn[] = [
  column('usermeta.meta_value', 'umeta_id', 'address of an account', keys('billing_email', 'shipping_email')),
  column('wc_customer_lookup.email', 'customer_id', 'customer in reports of the shop'),
  column('comments.comment_author_email', 'comment_ID', 'comment'),
  text('comments.comment_content', 'comment_ID', 'comment or note of an order that contains the address'),
  text('woocommerce_sessions.session_value', 'session_id', 'session of the shop'),
  postMeta('coupon of the shop', { ...keys('customer_email', '_used_by'), isText: true }),
  column(
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

/** What names an account by its id. */
export const accountColumns: readonly PersonalColumn[] = [
  column('woocommerce_sessions.session_key', 'session_id', 'session of the shop'),
  postMeta('coupon of the shop', keys('_used_by')),
  column('wc_customer_lookup.user_id', 'customer_id', 'customer in reports of the shop'),
  column('gf_entry.created_by', 'id', 'entry of a form'),
  column('usermeta.user_id', 'umeta_id', 'logins of an account', keys('session_tokens')),
]

export const ordersOfAccounts: readonly PersonalColumn[] = [
  column('wc_orders.customer_id', 'id', orderOfAccount),
  postMeta(orderOfAccount, { ...keys('_customer_user'), owner: 'post_id' }),
]
