import { expect, test } from 'bun:test'

import { ServiceError } from '../errors.ts'
import { parseZoneName } from './zone-name.ts'

test('the documentation lists the reserved names, and each is refused', async () => {
  const concepts = await Bun.file(new URL('../../../docs/concepts.md', import.meta.url)).text()
  const [line = ''] = /^The reserved zone names, .*$/mu.exec(concepts) ?? []
  const names = [...line.matchAll(/`([a-z0-9]+)`/gu)].map(([, name = '']) => name)
  const source = await Bun.file(new URL('zone-name.ts', import.meta.url)).text()
  const reserved = /reservedZoneNames[^=]*= new Set\(\[([^\]]*)\]\)/u.exec(source)?.[1] ?? ''
  const written = [...reserved.matchAll(/'([a-z0-9]+)'/gu)].map(([, name = '']) => name)

  expect(names.length).toBeGreaterThan(5)
  expect(names).toEqual(written.toSorted())
  for (const name of names) expect(() => parseZoneName(name)).toThrow(ServiceError)
})
