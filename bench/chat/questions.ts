/** A question about the service, and what a right answer must say. */
export interface Fact {
  readonly ask: string
  readonly says: readonly RegExp[]
}

/** Asked while the assistant is worked on. */
export const facts: readonly Fact[] = [
  { ask: 'What is the largest file I can upload?', says: [/25 MB/u] },
  { ask: 'How many files fit into one batch upload?', says: [/\b50\b/u] },
  { ask: 'How often can I purge in a day?', says: [/\b100\b/u] },
  { ask: 'Which header carries the data plane key?', says: [/AccessKey/u] },
  { ask: 'How do I make a backup?', says: [/clone --mirror|\.backup/u] },
  { ask: 'What happens when the disk is full?', says: [/503/u] },
  { ask: 'Where are the generated keys kept?', says: [/keys\.json/u] },
  { ask: 'How do I rotate a key?', says: [/sedge keys|rotate/u] },
  { ask: 'Which port does the service listen on by default?', says: [/8788/u] },
  { ask: 'How do I turn on HTTPS?', says: [/TLS_CERT_FILE/u] },
  { ask: 'How can I switch HTTP/3 on?', says: [/HTTP3/u] },
  { ask: 'How many times is a webhook delivery retried?', says: [/\bten\b|\b10\b/u] },
  { ask: 'When is a webhook endpoint switched off?', says: [/410|five days/u] },
  { ask: 'Can webhooks go to a private address?', says: [/WEBHOOK_ALLOW_PRIVATE/u] },
  { ask: 'How long are logs kept?', says: [/seven days/iu] },
  { ask: 'How do I get Prometheus metrics?', says: [/METRICS_PORT/u] },
  { ask: 'What does a 409 PathConflict mean?', says: [/letter case|Unicode/u] },
  { ask: 'What does ChecksumMismatch mean?', says: [/SHA-256/u] },
  { ask: 'What status does UnprocessableImage have?', says: [/422/u] },
  { ask: 'How wide can a transformed picture be?', says: [/8192/u] },
  { ask: 'Which values may the quality parameter have?', says: [/1 to 100/u] },
  { ask: 'How strong can a blur be?', says: [/250/u] },
  { ask: 'How do I crop to faces?', says: [/gravity|face/iu] },
  { ask: 'Which image formats can a transform produce?', says: [/webp/iu, /avif/iu] },
  {
    ask: 'How do I make sure that an upload arrived undamaged?',
    says: [/Checksum|Content-Digest/u],
  },
  { ask: 'How long is a signed URL valid at most?', says: [/604800|seven days/iu] },
  { ask: 'How do I find assets by meaning?', says: [/\/api\/search/u] },
  { ask: 'How many results can a search return at most?', says: [/\b50\b/u] },
  { ask: 'How do I see the past deliveries of a webhook?', says: [/deliveries/u] },
  { ask: 'How do I revoke a token?', says: [/sedge token|revoke/iu, /token/u] },
  { ask: 'How long does a session last?', says: [/seven days/iu] },
  { ask: 'How do I use more processor cores?', says: [/EDGE_WORKERS/u] },
  { ask: 'How do I serve a zone on my own domain?', says: [/domains/u] },
  { ask: 'Does the service store the addresses of visitors?', says: [/never stored/u] },
  { ask: 'Can I edit files with git directly?', says: [/push|clone/u] },
  { ask: 'How do I rebuild the catalogue?', says: [/sedge rebuild/u] },
  { ask: 'How do I check that the repository and the blobs agree?', says: [/doctor/u] },
  { ask: 'How do I stream a video?', says: [/\/api\/stream/u] },
  { ask: 'What does a machine need so that the service runs?', says: [/Node/u, /git/u] },
  { ask: 'How do I delete a zone?', says: [/DELETE[^.]*zones|Delete a zone/u] },
  { ask: 'What happens after five wrong passwords?', says: [/15 minutes/u] },
  { ask: 'How can I see what the rules do to an address?', says: [/explain/u] },
  { ask: 'Where do I set the log level?', says: [/LOG_LEVEL/u] },
  { ask: 'How do I run search without the language model?', says: [/SEARCH_BY_NAME_ONLY/u] },
  { ask: 'How is a private file delivered?', says: [/signed/iu] },
  { ask: 'How do I send traces to OpenTelemetry?', says: [/preload|SDK|OTLP/u] },
  { ask: 'How long are hourly counts kept?', says: [/3 days/u] },
  { ask: 'What is the country header called?', says: [/CF-IPCountry/u] },
  { ask: 'How do I import a whole directory?', says: [/sedge import/u] },
  { ask: 'What licence does the project have?', says: [/MIT/u] },
]

/** What words mean; the first line of the answer has to say it. Asked while the assistant is worked on. */
export const meanings: readonly Fact[] = [
  { ask: 'What is a zone?', says: [/tenant/u] },
  { ask: 'What is an asset?', says: [/file in a zone/u] },
  { ask: 'what is a category', says: [/folder|segment/u] },
  { ask: 'What does tenant mean?', says: [/zone/iu] },
  { ask: 'What is an edge?', says: [/machine|visitors/u] },
  { ask: 'What does purge mean?', says: [/forget|obeyed|address/u] },
  { ask: 'What is a variant?', says: [/transform/u] },
  { ask: 'define blob', says: [/bytes/u] },
  { ask: "What's a scope?", says: [/token/u] },
  { ask: 'What is a webhook?', says: [/told/u] },
  { ask: 'What do you mean by feed?', says: [/in order/u] },
  { ask: 'What is a passkey?', says: [/signs somebody in|device/u] },
  { ask: 'What is a signed URL?', says: [/private|good for/u] },
  { ask: 'What does the catalogue mean?', says: [/assets/u] },
]

/** Written together with the others and not looked at while the assistant was worked on. */
export const unseenFacts: readonly Fact[] = [
  { ask: 'How do I restore a backup?', says: [/put (?:the three|them) back|repository/u] },
  { ask: 'How many characters may a rule file have?', says: [/100,?000/u] },
  { ask: 'What is lost when the process is killed?', says: [/nothing that was answered is lost/u] },
  { ask: 'How do I renew TLS certificates without a restart?', says: [/SIGHUP/u] },
  { ask: 'On which address are metrics answered?', says: [/127\.0\.0\.1|loopback|METRICS_HOST/u] },
  { ask: 'What is If-Match for?', says: [/lost update|If-Match/iu] },
  { ask: 'How can I tell which requests failed?', says: [/insights\/errors|\/api\/logs/u] },
  { ask: 'What does a 429 answer mean?', says: [/limit/iu] },
  { ask: 'How do I register a passkey?', says: [/passkeys/u] },
  { ask: 'How long may a path be?', says: [/1024/u] },
  { ask: 'What is the range of sharpen?', says: [/1 to 10/u] },
  { ask: 'How do I purge everything?', says: [/purge_everything/u] },
  { ask: 'How do I suspend a zone?', says: [/suspend/iu, /zones/u] },
  { ask: 'How do I make it believe my reverse proxy?', says: [/TRUSTED_PROXIES/u] },
  {
    ask: 'How do I get a picture in the best format the browser takes?',
    says: [/\/api\/auto|format=auto/u],
  },
  { ask: 'How do I watch traffic live?', says: [/insights\/live|live view/u] },
]

/** What is beside the point: an honest answer has no source and says that it does not know. */
export const beside: readonly string[] = [
  'What is the weather in Paris?',
  'Write me a poem about love',
  'asdkjh qwepoi zxcmn',
  'What is the capital of France?',
  'Who won the world cup in 2018?',
  'Which mushrooms are poisonous?',
]
