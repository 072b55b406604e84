import { expect, test } from 'bun:test'

import { parseS3Location } from './s3-location.ts'

test('a bucket alone is at Amazon, with the bucket in the host name', () => {
  expect(parseS3Location('s3://assets?region=eu-central-1')).toEqual({
    bucket: 'assets',
    prefix: '',
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    region: 'eu-central-1',
    style: 'host',
  })
})

test('an endpoint is asked with the bucket in the path, unless told otherwise', () => {
  const text = 's3://assets/sedge/one/?endpoint=http://127.0.0.1:7070'

  expect(parseS3Location(text)).toEqual({
    bucket: 'assets',
    prefix: 'sedge/one/',
    endpoint: 'http://127.0.0.1:7070',
    region: 'us-east-1',
    style: 'path',
  })
  expect(parseS3Location(`${text}&style=host`).style).toBe('host')
})

for (const wrong of [
  '',
  'assets',
  'https://assets',
  's3://A',
  's3://key:secret@assets',
  's3://assets?colour=red',
  's3://assets?endpoint=ftp://x',
  's3://assets?endpoint=http://x/path',
  's3://assets?style=other',
  's3://assets/a b',
])
  test(`"${wrong}" is refused with what would be right`, () => {
    expect(() => parseS3Location(wrong)).toThrow(/^must /u)
  })
