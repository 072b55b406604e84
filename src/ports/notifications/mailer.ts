export interface Mail {
  readonly subject: string
  /** Plain text. */
  readonly text: string
  /** Names the message, however often it is sent. */
  readonly id: string
}

/** The way to those who are to have e-mail; from and to are its own. */
export interface Mailer {
  /** Resolves once the server has taken it; rejects where that is not certain. */
  send(mail: Mail): Promise<void>
}
