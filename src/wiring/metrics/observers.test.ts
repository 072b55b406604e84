import { ProxyTracerProvider, trace } from '@opentelemetry/api'
import { expect, test } from 'bun:test'

import { openObservers } from './observers.ts'

const world = { config: { metricsPort: undefined }, telemetry: undefined } as never

test('where nobody fetches numbers and nothing is registered, nothing is measured or traced', async () => {
  trace.disable()
  expect(await openObservers(world)).toEqual({ measuring: undefined, trace: undefined })
})

test('a provider that was registered before the service started hears of its responses', async () => {
  const provider = { getTracer: () => new ProxyTracerProvider().getTracer('test') }
  trace.setGlobalTracerProvider(provider)
  const observers = await openObservers(world)
  trace.disable()

  expect(observers.trace).toBeFunction()
})

test('where numbers are fetched they are there', async () => {
  const { measuring } = await openObservers({ config: { metricsPort: 9 } } as never)
  expect(await measuring?.metrics.metrics()).toContain('sedge_api_answers_total')
})
