import { expect, test } from 'bun:test'

import { signRequest } from './sign-request.ts'

/** From the examples in the documentation of Amazon S3, "Signature Calculations". */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: undefined,
}
const signer = { credentials, region: 'us-east-1', now: new Date('2013-05-24T00:00:00Z') }
const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const signatureOf = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  signRequest(
    {
      method: 'GET',
      url: new URL(`https://examplebucket.s3.amazonaws.com${path}`),
      headers,
      bodySha256: nothing,
    },
    signer,
  )['authorization']?.split('Signature=')[1]

test('the published examples have the published signatures', () => {
  expect(signatureOf('/test.txt', { range: 'bytes=0-9' })).toBe(
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
  expect(signatureOf('/?lifecycle')).toBe(
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  )
  expect(signatureOf('/?max-keys=2&prefix=J')).toBe(
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  )
})
