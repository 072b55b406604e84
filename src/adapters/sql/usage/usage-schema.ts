/** What a zone stores and uses on a day, beside its traffic. All of it adds up. */
export interface UsageSums {
  /** By so much it became more; less where it is negative. */
  stored_bytes: number
  files: number
  uploads: number
  uploaded_bytes: number
  /** Calls to the models that the operator has set. */
  vision_calls: number
  chat_calls: number
  embedding_calls: number
}

/** `''` is the zone of what belongs to none. Days are whole numbers since 1970. */
export interface UsageTable extends UsageSums {
  readonly zone: string
  readonly day: number
}
