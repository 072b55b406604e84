import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'

import { makeCertificate, openssl } from '../../../test/support/certificates.ts'
import { have } from '../../../test/support/needs.ts'
import { temporaryDirectory } from '../../../test/support/service-process.ts'
import { failureOf } from '../../ports/content/publication-store.contract.ts'
import { openSmtpServer } from '../../../test/support/smtp-server.ts'
import { SmtpMailer } from './smtp-mailer.ts'

const common = { from: 'sedge@acme.example', to: ['ops@acme.example', 'b@c.example'] } as const
const mail = { id: '1-a-2', subject: 'It is wrong ü', text: 'A line\nand another\n' }

test('a message goes to all, with its subject and its id', async () => {
  await using server = await openSmtpServer()
  using mailer = new SmtpMailer({
    ...common,
    url: `smtp://ana:p%40ss@127.0.0.1:${server.port}`,
    allowPlain: true,
  })
  await mailer.send(mail)

  expect(server.credentials).toEqual(['\u0000ana\u0000p@ss'])
  const [received] = server.mails
  expect(received).toMatchObject({ from: common.from, to: common.to })
  expect(received?.data).toContain('Message-ID: <1-a-2@acme.example>')
  expect(received?.data).toContain('Auto-Submitted: auto-generated')
  expect(received?.data).toContain('From: Sedge <sedge@acme.example>')
  expect(received?.data).toMatch(/^Subject: =\?UTF-8\?Q\?It_is_wrong_=C3=BC\?=\r$/mu)
})

test('nothing in a subject becomes a header or another recipient', async () => {
  await using server = await openSmtpServer()
  const url = `smtp://127.0.0.1:${server.port}`
  using mailer = new SmtpMailer({ ...common, url, allowPlain: true })
  await mailer.send({
    ...mail,
    subject: 'x\r\nBcc: eve@evil.example\r\n\r\nbody',
    text: 'a\r\n.\r\nb',
  })

  const [received] = server.mails
  expect(received?.to).toEqual([...common.to])
  expect(received?.data).not.toMatch(/^Bcc:/mu)
  expect(received?.data).toContain('\r\n..\r\nb')
})

test('without TLS nothing is sent, unless that is allowed', async () => {
  await using server = await openSmtpServer()
  const url = `smtp://ana:secret@127.0.0.1:${server.port}`
  using mailer = new SmtpMailer({ ...common, url, allowPlain: false })

  expect(String(await failureOf(mailer.send(mail)))).toContain('STARTTLS')
  expect([server.mails, server.credentials]).toEqual([[], []])
})

const hasOpenssl = have('mail over TLS', openssl)

test.skipIf(!hasOpenssl)(
  'over TLS a server is believed that proves its name, and no other',
  async () => {
    await using directory = await temporaryDirectory()
    const files = makeCertificate(directory.path, 'mail', 'localhost')
    const key = await readFile(files.keyFile, 'utf8')
    const cert = await readFile(files.certificateFile, 'utf8')
    await using server = await openSmtpServer({ tls: { key, cert } })
    const url = `smtps://localhost:${server.port}`
    using mailer = new SmtpMailer({ ...common, url, allowPlain: false, trusted: cert })
    await mailer.send(mail)
    expect(server.mails).toHaveLength(1)

    using stranger = new SmtpMailer({ ...common, url, allowPlain: false })
    expect(await failureOf(stranger.send(mail))).toBeInstanceOf(Error)
    expect(server.mails).toHaveLength(1)
  },
)

test('what the server does not take rejects', async () => {
  await using server = await openSmtpServer()
  server.response = '451 not now'
  const url = `smtp://127.0.0.1:${server.port}`
  using mailer = new SmtpMailer({ ...common, url, allowPlain: true })
  expect(String(await failureOf(mailer.send(mail)))).toContain('451')
})
