import { expect, test } from 'bun:test'

import { exampleData } from '../../domain/webhooks/example-data.ts'
import { eventBody, eventNames } from './event-schemas.ts'

test.each(eventNames)('the example of %s is what its schema says', (event) => {
  const at = new Date('2026-05-04T03:02:01Z')
  const body = {
    event,
    timestamp: at.toISOString(),
    data: exampleData(event, { zone: 'acme', at }),
  }

  const parsed: unknown = eventBody(event).parse(body)
  expect(parsed).toEqual(body)
})
