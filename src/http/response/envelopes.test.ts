import { expect, test } from 'bun:test'
import { errorCodes, ServiceError } from '../../domain/errors.ts'
import { errorBody, errorResponse, toServiceError } from './envelopes.ts'
import { errorTable } from './error-table.ts'

const requestId = '0b0e9c3e-7f5e-4a3e-9a2b-1f6f0d2c9b11'
const at = new Date('2026-04-01T12:00:00.000Z')
const context = (envelope: 'standard' | 'flat') => ({ envelope, requestId, at })

test('the standard envelope has every key, always', () => {
  const error = new ServiceError('InvalidParameter', 'Name must be short', {
    target: 'Name',
    details: [{ target: 'Name', message: 'Name must be short' }],
  })
  expect(errorBody(error, context('standard'))).toEqual({
    error: {
      code: 'InvalidParameter',
      message: 'Name must be short',
      target: 'Name',
      details: [{ target: 'Name', message: 'Name must be short' }],
      innererror: null,
    },
    HttpCode: 400,
    Message: 'Name must be short',
    message: 'Name must be short',
    requestId,
    timestamp: '2026-04-01T12:00:00.000Z',
    apiVersion: '2026-04-01',
  })
})

test('the flat envelope says its message under three names', () => {
  const error = new ServiceError('InvalidParameter', 'url is required', { target: 'url' })
  expect(errorBody(error, context('flat'))).toMatchObject({
    error: 'url is required',
    Message: 'url is required',
    message: 'url is required',
    code: 'InvalidParameter',
    HttpCode: 400,
    requestId,
    timestamp: '2026-04-01T12:00:00.000Z',
    apiVersion: '2026-04-01',
  })
})

test('a used-up limit is flat whatever the operation is', () => {
  const body = errorBody(new ServiceError('limit_reached', 'come back later'), context('standard'))
  expect(body).toMatchObject({ error: 'limit_reached', Message: 'limit_reached', HttpCode: 429 })
})

test('members of a refusal stand beside the envelope', () => {
  const error = new ServiceError('InvalidParameter', 'x', { context: { invalid: ['a b'] } })
  for (const envelope of ['standard', 'flat'] as const)
    expect(errorBody(error, context(envelope))['invalid']).toEqual(['a b'])
})

test('every code is answered with its status, as JSON that is not kept', async () => {
  for (const code of errorCodes)
    for (const envelope of ['standard', 'flat'] as const) {
      const response = errorResponse(new ServiceError(code, 'no'), context(envelope))
      expect(response.status).toBe(errorTable[code].status)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('x-request-id')).toBe(requestId)
      expect(response.headers.get('x-api-version')).toBe('2026-04-01')
      expect(((await response.json()) as { HttpCode: number }).HttpCode).toBe(response.status)
      const mustRetry = code === 'limit_reached' || code === 'Unavailable'
      expect(response.headers.has('retry-after')).toBe(mustRetry)
      expect(response.headers.has('ratelimit')).toBe(code === 'limit_reached')
    }
})

test('what is not a refusal says nothing of itself', () => {
  const error = toServiceError(new Error('ENOENT /srv/data'))
  expect(error.code).toBe('InternalError')
  expect(error.message).not.toContain('ENOENT')
  expect(error.cause).toBeInstanceOf(Error)
})
