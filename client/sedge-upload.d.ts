import type { StoredFile } from './sedge.js'

/** A token, or the URL of an upload grant. */
export type Permission = string | ((file: File) => string | Promise<string>)

/**
 * `<sedge-upload url="https://assets.example.org" path="acme/v1/photos/" accept="image/*" multiple>` stores
 * the files that somebody chooses. It tells of each by the events `stored` and `failed`.
 */
export declare class UploadElement extends HTMLElement {
  /** By what right; the attribute `token` where it is left out. */
  permission: Permission
  connectedCallback(): void
  /** Stores a file as if it had been chosen. */
  upload(file: File): Promise<void>
}

declare global {
  interface HTMLElementTagNameMap {
    'sedge-upload': UploadElement
  }
  interface HTMLElementEventMap {
    stored: CustomEvent<StoredFile>
    failed: CustomEvent<unknown>
  }
}
