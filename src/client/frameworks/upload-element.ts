import { SedgeError } from '../client.ts'
import type { StoredFile } from '../types.ts'
import { clientFor } from './permitted-client.ts'

/** A token, or the URL of an upload grant. */
export type Permission = string | ((file: File) => string | Promise<string>)

/**
 * `<sedge-upload url="https://assets.example.org" path="acme/v1/photos/" accept="image/*" multiple>` stores
 * the files that somebody chooses, shows how far they are, and goes on after a lost connection, or after a
 * reload where the same file is chosen again. `permission` says by what right. It tells of each file by the
 * events `stored` (`detail` is what was stored) and `failed` (`detail` is the error).
 */
export class UploadElement extends HTMLElement {
  permission: Permission = ''

  connectedCallback(): void {
    const input = Object.assign(document.createElement('input'), {
      type: 'file',
      multiple: this.hasAttribute('multiple'),
      accept: this.getAttribute('accept') ?? '',
    })
    this.replaceChildren(input)
    input.addEventListener('change', () => {
      for (const file of input.files ?? []) void this.upload(file)
      input.value = ''
    })
  }

  async upload(file: File): Promise<void> {
    const bar = Object.assign(document.createElement('progress'), { max: file.size || 1, value: 0 })
    const row = Object.assign(document.createElement('label'), { textContent: `${file.name} ` })
    row.append(bar)
    this.append(row)
    try {
      const detail = await this.#send(file, (bytes) => void (bar.value = bytes))
      bar.value = bar.max
      this.dispatchEvent(new CustomEvent('stored', { detail, bubbles: true }))
    } catch (detail) {
      row.append(` ${detail instanceof Error ? detail.message : 'failed'}`)
      this.dispatchEvent(new CustomEvent('failed', { detail, bubbles: true }))
    }
  }

  async #send(file: File, onSent: (bytes: number) => void): Promise<StoredFile> {
    const path = `${this.getAttribute('path') ?? ''}${file.name}`
    const key = `sedge-upload ${path} ${file.size} ${file.lastModified}`
    const send = async (right: string, begun: { readonly id?: string }) => {
      const options = {
        onBegun: (id: string) => localStorage.setItem(key, JSON.stringify({ id, right })),
        onProgress: ({ sentBytes }: { readonly sentBytes: number }) => onSent(sentBytes),
      }
      const client = clientFor(this.getAttribute('url') ?? location.origin, right)
      const stored = await client.uploadFile({ path, body: file, ...begun }, options)
      localStorage.removeItem(key)
      return stored
    }
    // What was begun before a reload is found by the right that it was begun with, while both last.
    const { id, right } = JSON.parse(localStorage.getItem(key) ?? '{}')
    if (id !== undefined) {
      const resumed = await send(right, { id }).catch(absentWhereRefused)
      if (resumed !== undefined) return resumed
    }
    const { permission } = this
    const said = typeof permission === 'function' ? await permission(file) : permission
    return await send(said || (this.getAttribute('token') ?? ''), {})
  }
}

function absentWhereRefused(error: unknown): undefined {
  if (!(error instanceof SedgeError) || error.status >= 500) throw error
}

customElements.define('sedge-upload', UploadElement)
