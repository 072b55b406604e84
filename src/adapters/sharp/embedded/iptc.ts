import { ByteCursor } from './byte-cursor.ts'
import { latin1 } from './paged-file.ts'
import type { Words } from './words.ts'

const marker = 0x1c
const [envelope, application] = [1, 2]
const codedCharacterSet = 90
const utf8Escape = '\u001b%G'
const maxDataSets = 5000

/** What datasets say (IPTC-IIM 4.2, record 2). Ends quietly where they are broken. */
export function iptcWords(bytes: Uint8Array): Words {
  const valuesByDataSet = new Map<number, Uint8Array[]>()
  let isUtf8 = false
  for (const { record, number, value } of dataSets(bytes)) {
    if (record === envelope && number === codedCharacterSet) isUtf8 = latin1(value) === utf8Escape
    if (record !== application) continue
    const values = valuesByDataSet.get(number)
    if (values === undefined) valuesByDataSet.set(number, [value])
    else values.push(value)
  }
  const decoder = new TextDecoder(isUtf8 ? 'utf-8' : 'windows-1252')
  const all = (number: number) =>
    (valuesByDataSet.get(number) ?? []).map((value) => ({ text: decoder.decode(value) }))
  return {
    title: all(5).slice(0, 1),
    alt: [],
    description: all(120).slice(0, 1),
    tags: all(25),
    copyright: all(116).slice(0, 1),
    licence: [],
  }
}

function* dataSets(bytes: Uint8Array) {
  const cursor = new ByteCursor(bytes)
  for (let count = 0; count < maxDataSets && cursor.number(1) === marker; count += 1) {
    const [record, number] = [cursor.number(1), cursor.number(1)]
    const short = cursor.number(2)
    // A longer value says first in how many bytes its length is (§1.6).
    const lengthBytes = short >= 0x8000 ? short - 0x8000 : 0
    if (lengthBytes > 4) return
    const value = cursor.take(short >= 0x8000 ? cursor.number(lengthBytes) : short)
    if (value === undefined) return
    yield { record, number, value }
  }
}
