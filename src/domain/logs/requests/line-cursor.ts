import {
  type LinePosition,
  type RequestKind,
  requestKinds,
} from '../../../ports/traffic/request-log-store.ts'

/** How far a search has come among the lines of each kind; all of a kind are still to come where it is left out. */
export type LineCursor = Readonly<Partial<Record<RequestKind, LinePosition>>>

/** Four pairs of numbers, in the order of the kinds; `-` where nothing was read. */
export const writeCursor = (cursor: LineCursor): string =>
  requestKinds
    .map((kind) => {
      const position = cursor[kind]
      return position === undefined ? '-' : `${position.segment}.${position.offset}`
    })
    .join('~')

const maxCursorLength = 200

/** `undefined` where the text is no cursor of ours. */
export function readCursor(text: string): LineCursor | undefined {
  const parts = text.length > maxCursorLength ? [] : text.split('~')
  if (parts.length !== requestKinds.length) return undefined
  const cursor: Partial<Record<RequestKind, LinePosition>> = {}
  for (const [place, kind] of requestKinds.entries()) {
    const part = parts[place] ?? ''
    if (part === '-') continue
    const [, segment, offset] = /^(\d{1,15})\.(\d{1,15})$/u.exec(part) ?? []
    if (segment === undefined || offset === undefined) return undefined
    cursor[kind] = { segment: Number(segment), offset: Number(offset) }
  }
  return cursor
}
