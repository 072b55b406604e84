/** A request to a webhook's URL; always a POST. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebhookResponse {
  /** `undefined` where no whole response came. */
  readonly status: number | undefined
  /** Why there is no response, or what is wrong with it, in words for whoever owns the webhook. */
  readonly error: string | undefined
  /** The first kilobyte of the body. */
  readonly body: string
  /** The first fields of the response, lower-case, cut; never its cookies. */
  readonly headers: Readonly<Record<string, string>>
  readonly durationMs: number
}

/** The way out to URLs that callers choose. */
export interface WebhookSender {
  /**
   * Sends once and never rejects. No redirect is followed, and there is a limit to how long a response
   * takes and to how much of it is read. No connection is made to an address that is not public,
   * whatever name it hides behind.
   */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookResponse>
  /**
   * Why nothing would be sent to this URL, as the end of a sentence that begins with `url`;
   * `undefined` where something would. A name that cannot be looked up now is no reason.
   */
  refusalOf(url: string): Promise<string | undefined>
}
