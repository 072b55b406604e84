import { expect } from 'bun:test'

import { access } from './service-process.ts'

export const tus = { ...access, 'Tus-Resumable': '1.0.0' }

/** Opens an upload of so many bytes; answers its path. */
export async function openTusUpload(
  serviceUrl: string,
  path: string,
  sizeBytes: number,
): Promise<string> {
  const response = await fetch(`${serviceUrl}/api/uploads/tus`, {
    method: 'POST',
    headers: {
      ...tus,
      'Upload-Length': String(sizeBytes),
      'Upload-Metadata': `path ${Buffer.from(path).toString('base64')}`,
    },
  })
  expect(response.status).toBe(201)
  return new URL(response.headers.get('location') ?? '', serviceUrl).pathname
}

interface Span {
  readonly offset: number
  readonly end: number
}

/** Sends one piece, which must be acknowledged to its end. */
export async function sendTusPiece(
  url: URL,
  content: Uint8Array<ArrayBuffer>,
  { offset, end }: Span,
): Promise<void> {
  const response = await fetch(url, {
    method: 'PATCH',
    headers: {
      ...tus,
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(offset),
    },
    body: content.subarray(offset, end),
  })
  expect(response.status).toBe(204)
  expect(response.headers.get('upload-offset')).toBe(String(end))
}
