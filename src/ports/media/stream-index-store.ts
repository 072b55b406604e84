/**
 * What packaging a video needs besides the video, by the SHA-256 of the video. All of it can be made
 * again: losing an entry costs one reading of the video's tables, so nothing here waits for a flush.
 */
export interface StreamIndexStore {
  /** The bytes last saved, or `undefined`. Never part of them while another save is under way. */
  find(sha256: string): Promise<Uint8Array | undefined>
  /** Replaces what is there. The caller's later changes to `bytes` do not matter. */
  save(sha256: string, bytes: Uint8Array): Promise<void>
  /** Not an error where there is none. */
  remove(sha256: string): Promise<void>
}
