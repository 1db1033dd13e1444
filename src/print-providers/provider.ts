// The contract of a print provider: one call that puts a print file into the draft of an order, as often as it takes.

/** One printed item of an order. */
export interface DraftItem {
  /** Id of the shop's order; the provider knows the draft by it, so that a repeat changes the draft and adds no other. */
  orderId: string
  /** Source of the order: `wc`, `gf` or `shortcode`. */
  orderType: string
  /** The order item, by which the provider's items are told apart; 0 where the order has none. */
  itemId: number
  /** The provider's variation, as it stands in the job's `variation_printful`. */
  variation: string
  /** Public URL of the print file. */
  fileUrl: string
  /**
   * Public URLs of what is printed, in order: the pictures of a ZIP file, each stored as a file of its own by this call,
   * else the print file itself.
   * @throws ProviderRefused for a ZIP file that cannot be unpacked
   */
  printedUrls(signal: AbortSignal): Promise<string[]>
  /** GUID of the print job. */
  jobGuid: string
}

export interface PrintProvider {
  /**
   * Creates or updates the draft order; never confirms it. Items of the draft that are not named stay as they are.
   * One call at a time per order.
   * @throws ProviderRefused when trying again cannot help, ProviderUnavailable (or any other error) when it can
   */
  upsertDraft(item: DraftItem, signal: AbortSignal): Promise<{ providerOrder: string }>
}

/** The provider said no for good; the message is one sentence for the job's `error`. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused'
}

/** The provider could not be reached or is out of order; the same call may work later. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
  /** Seconds after which the call may be repeated, where the provider named them. */
  readonly retryAfter: number | undefined
  /** Whether a write was sent that the provider may still carry out; until then no other one of this order is let in. */
  readonly mayArrive: boolean

  constructor(message: string, options: { cause?: unknown; retryAfter?: number; mayArrive?: boolean } = {}) {
    super(message, options)
    this.retryAfter = options.retryAfter
    this.mayArrive = options.mayArrive ?? false
  }
}
