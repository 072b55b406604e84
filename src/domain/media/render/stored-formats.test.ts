import { expect, test } from 'bun:test'

import { assetAt } from '../../../ports/content/publication-store.contract.ts'
import { parseAccept } from '../recipe/accepted-formats.ts'
import { chooseAuto, findStoredFormats } from './stored-formats.ts'

const path = 'acme/v1/icons/a.png'

const chosen = (contentType: string, accept: string) => {
  const asset = (each: string) => (each === path ? assetAt(path, { contentType }) : undefined)
  const formats = findStoredFormats({ asset }, 'acme/v1/icons/a')
  return chooseAuto(formats, { accepted: parseAccept(accept), prefersMoving: false })
}

test('of a file that was stored as something else an image is made', () => {
  expect(chosen('image/png', '*/*')).toMatchObject({ kind: 'stored' })
  expect(chosen('text/plain', '*/*')).toMatchObject({ kind: 'encode', format: 'png' })
  expect(chosen('text/plain', 'image/avif')).toMatchObject({ kind: 'encode', format: 'avif' })
})
