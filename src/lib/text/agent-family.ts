/** What a `User-Agent` has in it, in small letters, and whose it is. The first that fits counts. */
const marks: readonly (readonly [mark: string, family: string])[] = [
  ['googlebot', 'Googlebot'],
  ['bingbot', 'Bingbot'],
  ['duckduckbot', 'DuckDuckBot'],
  ['yandex', 'YandexBot'],
  ['baiduspider', 'Baiduspider'],
  ['applebot', 'Applebot'],
  ['gptbot', 'GPTBot'],
  ['claudebot', 'ClaudeBot'],
  ['ccbot', 'CCBot'],
  ['perplexitybot', 'PerplexityBot'],
  ['amazonbot', 'Amazonbot'],
  ['bytespider', 'Bytespider'],
  ['ahrefsbot', 'AhrefsBot'],
  ['semrushbot', 'SemrushBot'],
  ['facebookexternalhit', 'Facebook'],
  ['twitterbot', 'Twitterbot'],
  ['slackbot', 'Slackbot'],
  ['discordbot', 'Discordbot'],
  ['linkedinbot', 'LinkedInBot'],
  ['telegrambot', 'TelegramBot'],
  ['pinterest', 'Pinterest'],
  ['whatsapp', 'WhatsApp'],
  ['bot', 'Other bots'],
  ['crawl', 'Other bots'],
  ['spider', 'Other bots'],
  ['headlesschrome', 'Headless Chrome'],
  ['edg/', 'Edge'],
  ['edga/', 'Edge'],
  ['edgios/', 'Edge'],
  ['opr/', 'Opera'],
  ['samsungbrowser/', 'Samsung Internet'],
  ['firefox/', 'Firefox'],
  ['fxios/', 'Firefox'],
  ['crios/', 'Chrome'],
  ['chrome/', 'Chrome'],
  ['safari/', 'Safari'],
  ['applewebkit/', 'Apps on iOS and Android'],
  ['curl/', 'curl'],
  ['wget/', 'Wget'],
  ['python', 'Python'],
  ['aiohttp', 'Python'],
  ['go-http-client', 'Go'],
  ['okhttp', 'OkHttp'],
  ['dalvik/', 'Android'],
  ['cfnetwork', 'iOS and macOS'],
  ['java', 'Java'],
  ['axios', 'Node'],
  ['undici', 'Node'],
  ['node', 'Node'],
  ['bun/', 'Bun'],
  ['deno/', 'Deno'],
  ['guzzle', 'PHP'],
  ['php', 'PHP'],
  ['ruby', 'Ruby'],
]

const maxReadLength = 512

/** The program that a `User-Agent` (RFC 9110 §10.1.5) names, without its version, where it is one of some fifty. */
export function knownAgentFamily(userAgent: string): string | undefined {
  const text = userAgent.slice(0, maxReadLength).toLowerCase()
  return marks.find(([mark]) => text.includes(mark))?.[1]
}

/** The same; of others the first word that they say, such as `rclone`. */
export const namedAgentFamily = (userAgent: string): string | undefined =>
  knownAgentFamily(userAgent) ?? /^[\w.-]{1,40}/u.exec(userAgent.slice(0, maxReadLength))?.[0]
