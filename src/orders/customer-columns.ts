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

const orderAddress = 'address of an order of the shop'
export const orderColumns: readonly PersonalColumn[] = [
  { table: 'wc_orders', id: 'id', column: 'billing_email', owner: 'id', what: 'order of the shop' },
  { table: 'wc_order_addresses', id: 'id', column: 'email', owner: 'order_id', what: orderAddress },
  {
    table: 'postmeta',
    id: 'meta_id',
    column: 'meta_value',
    keys: { column: 'meta_key', among: ['_billing_email', '_shipping_email'] },
    owner: 'post_id',
    what: orderAddress,
  },
]
export const formColumn: PersonalColumn = {
  table: 'gf_entry_meta',
  id: 'id',
  column: 'meta_value',
  owner: 'entry_id',
  isText: true,
  what: 'entry of a form',
}
export const accountColumn: PersonalColumn = {
  table: 'users',
  id: 'ID',
  column: 'user_email',
  owner: 'ID',
  what: 'account of the CMS',
}
export const otherColumns: readonly PersonalColumn[] = [
  {
    table: 'usermeta',
    id: 'umeta_id',
    column: 'meta_value',
    keys: { column: 'meta_key', among: ['billing_email', 'shipping_email'] },
    what: 'address of an account',
  },
  {
    table: 'wc_customer_lookup',
    id: 'customer_id',
    column: 'email',
    what: 'customer in reports of the shop',
  },
  { table: 'comments', id: 'comment_ID', column: 'comment_author_email', what: 'comment' },
  {
    table: 'comments',
    id: 'comment_ID',
    column: 'comment_content',
    isText: true,
    what: 'comment or note of an order that contains the address',
  },
  {
    table: 'woocommerce_sessions',
    id: 'session_id',
    column: 'session_value',
    isText: true,
    what: 'session of the shop',
  },
  {
    table: 'postmeta',
    id: 'meta_id',
    column: 'meta_value',
    keys: { column: 'meta_key', among: ['customer_email', '_used_by'] },
    isText: true,
    what: 'coupon of the shop',
  },
  {
    table: 'woocommerce_downloadable_product_permissions',
    id: 'permission_id',
    column: 'user_email',
    what: 'permission to download from the shop',
  },
  { table: 'gf_entry_notes', id: 'id', column: 'value', isText: true, what: 'note of an entry of a form' },
  {
    table: 'actionscheduler_actions',
    id: 'action_id',
    column: 'args',
    isText: true,
    what: 'scheduled action',
  },
]

/** What names an account by its id. */
export const accountColumns: readonly PersonalColumn[] = [
  { table: 'woocommerce_sessions', id: 'session_id', column: 'session_key', what: 'session of the shop' },
  {
    table: 'postmeta',
    id: 'meta_id',
    column: 'meta_value',
    keys: { column: 'meta_key', among: ['_used_by'] },
    what: 'coupon of the shop',
  },
  {
    table: 'wc_customer_lookup',
    id: 'customer_id',
    column: 'user_id',
    what: 'customer in reports of the shop',
  },
  { table: 'gf_entry', id: 'id', column: 'created_by', what: 'entry of a form' },
  {
    table: 'usermeta',
    id: 'umeta_id',
    column: 'user_id',
    keys: { column: 'meta_key', among: ['session_tokens'] },
    what: 'logins of an account',
  },
]

export const ordersOfAccounts: readonly PersonalColumn[] = [
  { table: 'wc_orders', id: 'id', column: 'customer_id', what: 'order of an account of the customer' },
  {
    table: 'postmeta',
    id: 'meta_id',
    column: 'meta_value',
    keys: { column: 'meta_key', among: ['_customer_user'] },
    owner: 'post_id',
    what: 'order of an account of the customer',
  },
]
