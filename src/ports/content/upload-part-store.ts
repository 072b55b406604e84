/** One part of a file that arrives in parts. */
export interface UploadPart {
  /** Where it stands among the others; at least 1. */
  readonly number: number
  /** Under which id its bytes are staged, where it has any. */
  readonly bytesId: string
  readonly sizeBytes: number
  /** Lower-case hex. */
  readonly md5: string
  /** What its sender said it would be, and was right. */
  readonly checksum: PartChecksum | undefined
  readonly storedAt: Date
}

export interface PartChecksum {
  readonly algorithm: string
  /** Base64. */
  readonly value: string
}

export interface PartPage {
  /** Parts of higher numbers alone. */
  readonly after: number
  readonly limit: number
}

/** The parts of uploads, but for their bytes. What is acknowledged survives a power cut. */
export interface UploadPartStore {
  /** Takes the place of the part of the same number, which it answers. */
  put(uploadId: string, part: UploadPart): Promise<UploadPart | undefined>
  find(uploadId: string, number: number): Promise<UploadPart | undefined>
  /** By their numbers. */
  list(uploadId: string, page: PartPage): Promise<readonly UploadPart[]>
  /** Forgets all parts of an upload. */
  removeAll(uploadId: string): Promise<void>
}
