// A device in words, from what its browser says about itself (RFC 9110, section 10.1.5).

/** The first that matches counts: browsers name the ones that they descend from as well. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(?:intosh| OS X)\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

const named = (table: [RegExp, string][], userAgent: string) =>
  table.find(([pattern]) => pattern.test(userAgent))?.[1]

/** 'Firefox on Windows'; a program that is no browser by its own name, if it has one. */
export function deviceName(userAgent: string | null): string {
  const said = (userAgent ?? '').slice(0, 1000)
  const browser = named(browsers, said)
  const system = named(systems, said)
  if (browser && system) return `${browser} on ${system}`
  if (browser ?? system) return (browser ?? system)!
  const program = /^([A-Za-z][\w.-]{0,39})(?:\/|$)/.exec(said)?.[1]
  return program && program !== 'Mozilla' ? program : 'Unknown device'
}
