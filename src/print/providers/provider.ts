// The contract of a print provider: one idempotent call that puts a print file into the draft of an order.

/** One printed item of an order. */
export interface DraftItem {
  /** Id of the shop's order; it identifies the draft, so that a repeated call updates the draft and creates no second one. */
  orderId: string
  /** Source of the order: `wc`, `gf` or `shortcode`. */
  orderType: string
  /** The order item, which identifies the provider's items; 0 if the order has none. */
  itemId: number
  /** The provider's variation, as in the job's `variation_printful`. */
  variation: string
  /** Public URL of the print file. */
  fileUrl: string
  /**
   * Public URLs of what is printed, in order: the pictures of a ZIP file, each stored as a separate file by this call,
   * else the print file itself.
   * @throws ProviderRefused for a ZIP file that cannot be unpacked
   */
  printedUrls(signal: AbortSignal): Promise<string[]>
  /**
   * For each printed URL its place among all pages of the design, if pages were left out: blank ones, and views that the customer
   * did not unlock.
   */
  positions?: readonly number[] | undefined
  jobGuid: string
}

/** A service that prints and ships: it gets a draft order for each item of an order. The provider of this package is Printful. */
export interface PrintProvider {
  /**
   * Creates or updates the draft order; never confirms it. Other items of the draft stay as they are, unless the shop's order no longer
   * has them. Called for one item of an order at a time.
   * @returns the provider's id of the order, and sentences for the `warnings` of the job, if there are any
   * @throws ProviderRefused if a retry cannot help, ProviderUnavailable (or any other error) if it can
   */
  upsertDraft(
    item: DraftItem,
    signal: AbortSignal,
  ): Promise<{ providerOrder: string; notes?: readonly string[] }>
}

/** The provider refused permanently; the message is one sentence for the job's `error`. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused'
}

/** The provider could not be reached or failed; the same call may succeed later. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
  /** Seconds after which the call may be repeated, if the provider named them. */
  readonly retryAfter: number | undefined
  /** Whether the provider may still process a write; until the lease expires no other write of this order is admitted. */
  readonly mayArrive: boolean

  constructor(message: string, options: { cause?: unknown; retryAfter?: number; mayArrive?: boolean } = {}) {
    super(message, options)
    this.retryAfter = options.retryAfter
    this.mayArrive = options.mayArrive ?? false
  }
}
