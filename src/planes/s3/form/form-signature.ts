import type { S3Caller } from '../s3-request.ts'
import { S3Error } from '../s3-error.ts'
import { unsupportedMechanism } from '../signature/authorization-header.ts'
import { callerOf } from '../signature/s3-caller.ts'
import {
  millisecondsOf,
  parseCredential,
  parseSignature,
  signatureAlgorithm,
} from '../signature/signature-claim.ts'
import type { S3Signers } from '../signature/signers.ts'
import { isSameSignature, signatureOf } from '../signature/signing-key.ts'

interface Sent {
  readonly request: Request
  readonly clientAddress: string
  readonly requestId: string
  readonly fields: ReadonlyMap<string, string>
}

/**
 * Who signed the policy of a form.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-authentication-HTTPPOST.html
 */
export function signerOfForm(sent: Sent, signers: S3Signers): S3Caller {
  const { fields, clientAddress } = sent
  const policy = required(fields, 'policy')
  const algorithm = required(fields, 'x-amz-algorithm')
  if (algorithm !== signatureAlgorithm) throw unsupportedMechanism()
  const credential = parseCredential(required(fields, 'x-amz-credential'), 'InvalidArgument')
  const { accessKeyId, scope } = credential
  const time = required(fields, 'x-amz-date')
  if (millisecondsOf(time) === undefined || !time.startsWith(scope.date))
    throw new S3Error('InvalidArgument', 'X-Amz-Date must be a time of the day of the credential.')
  const signature = parseSignature(required(fields, 'x-amz-signature'), 'InvalidArgument')
  const { token } = signers.find({ accessKeyId, scope, clientAddress }, (keys) => {
    const isSigned = keys.some((key) => isSameSignature(signatureOf(key, policy), signature))
    if (!isSigned) throw wrongSignature(accessKeyId, signature)
  })
  return callerOf(sent, token)
}

/** Whether somebody is to have signed it at all. */
export const isSignedForm = (fields: ReadonlyMap<string, string>): boolean =>
  fields.has('policy') || fields.has('x-amz-signature') || fields.has('x-amz-credential')

function required(fields: ReadonlyMap<string, string>, name: string): string {
  const value = fields.get(name)
  if (value !== undefined) return value
  if (fields.has('awsaccesskeyid')) throw unsupportedMechanism()
  throw new S3Error(
    'InvalidArgument',
    `Bucket POST must contain a field named '${name}'. If it is specified, please check the order of the fields.`,
    { elements: { ArgumentName: name } },
  )
}

const wrongSignature = (accessKeyId: string, signature: string): S3Error =>
  new S3Error(
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    { elements: { AWSAccessKeyId: accessKeyId, SignatureProvided: signature } },
  )
