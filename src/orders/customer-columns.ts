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

const column = (
  table: string,
  id: string,
  name: string,
  what: string,
  more: Pick<PersonalColumn, 'keys' | 'owner' | 'isText'> = {},
): PersonalColumn => ({ table, id, column: name, what, ...more })

const keys = (...among: string[]) => ({ keys: { column: 'meta_key', among } })
const postMeta = (what: string, more: Pick<PersonalColumn, 'keys' | 'owner' | 'isText'>) =>
  column('postmeta', 'meta_id', 'meta_value', what, more)

const isText = true
const orderAddress = 'address of an order of the shop'
const orderOfAccount = 'order of an account of the customer'

export const orderColumns: readonly PersonalColumn[] = [
  column('wc_orders', 'id', 'billing_email', 'order of the shop', { owner: 'id' }),
  column('wc_order_addresses', 'id', 'email', orderAddress, { owner: 'order_id' }),
  postMeta(orderAddress, { ...keys('_billing_email', '_shipping_email'), owner: 'post_id' }),
]

export const formColumn = column('gf_entry_meta', 'id', 'meta_value', 'entry of a form', {
  owner: 'entry_id',
  isText,
})

export const accountColumn = column('users', 'ID', 'user_email', 'account of the CMS', { owner: 'ID' })

export const otherColumns: readonly PersonalColumn[] = [
  column(
    'usermeta',
    'umeta_id',
    'meta_value',
    'address of an account',
    keys('billing_email', 'shipping_email'),
  ),
  column('wc_customer_lookup', 'customer_id', 'email', 'customer in reports of the shop'),
  column('comments', 'comment_ID', 'comment_author_email', 'comment'),
  column(
    'comments',
    'comment_ID',
    'comment_content',
    'comment or note of an order that contains the address',
    {
      isText,
    },
  ),
  column('woocommerce_sessions', 'session_id', 'session_value', 'session of the shop', { isText }),
  postMeta('coupon of the shop', { ...keys('customer_email', '_used_by'), isText }),
  column(
    'woocommerce_downloadable_product_permissions',
    'permission_id',
    'user_email',
    'permission to download from the shop',
  ),
  column('gf_entry_notes', 'id', 'value', 'note of an entry of a form', { isText }),
  column('actionscheduler_actions', 'action_id', 'args', 'scheduled action', { isText }),
]

/** Options are known by their names. */
export const optionColumn = column(
  'options',
  'option_id',
  'option_value',
  'option that contains the address',
  { owner: 'option_name', isText },
)

/** What names an account by its id. */
export const accountColumns: readonly PersonalColumn[] = [
  column('woocommerce_sessions', 'session_id', 'session_key', 'session of the shop'),
  postMeta('coupon of the shop', keys('_used_by')),
  column('wc_customer_lookup', 'customer_id', 'user_id', 'customer in reports of the shop'),
  column('gf_entry', 'id', 'created_by', 'entry of a form'),
  column('usermeta', 'umeta_id', 'user_id', 'logins of an account', keys('session_tokens')),
]

export const ordersOfAccounts: readonly PersonalColumn[] = [
  column('wc_orders', 'id', 'customer_id', orderOfAccount),
  postMeta(orderOfAccount, { ...keys('_customer_user'), owner: 'post_id' }),
]
