import { expect, test } from 'vitest'
import { deviceName } from './device-name.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    'Firefox on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  ],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  [
    'Chrome on Mac',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/142.0.0.0 Safari/537.36`,
  ],
  [
    'Chrome on Linux',
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/156.0.0.0 Safari/537.36`,
  ],
  [
    'Chrome on ChromeOS',
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/142.0.0.0 Safari/537.36`,
  ],
  [
    'Chrome on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'Chrome on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1',
  ],
  [
    'Edge on Windows',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
  ],
  [
    'Opera on Windows',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`,
  ],
  [
    'Samsung Internet on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'Safari on Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  ],
  [
    'Safari on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  ],
  [
    'Safari on iPad',
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  ],
  [
    'Vivaldi on Linux',
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/142 Safari/537 Vivaldi/7.6`,
  ],
  [
    'Yandex Browser on Windows',
    `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/140 YaBrowser/25.8 Safari/537`,
  ],
  [
    'DuckDuckGo on Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18.0 Safari/605 DuckDuckGo/7',
  ],
  ['Edge on Android', `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/142 EdgA/142.0`],
  ['Edge on iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) EdgiOS/142.0'],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/64 Safari/537 Edge/17.17134`],
  ['Opera on iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) OPiOS/16.0'],
  ['Opera on Windows', 'Opera/9.80 (Windows NT 6.1) Presto/2.12 Version/12.16'],
  ['Firefox on iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) FxiOS/145.0'],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chromium/142.0`],
  ['Safari on Mac', 'Mozilla/5.0 (Mac OS X) AppleWebKit/605 Version/26.0 Safari/605'],
  ['Firefox', 'Firefox/145.0'],
  ['Windows', 'Something (Windows)'],
  ['ChromeOS', 'Something (CrOS)'],
  ['Mac', 'Something (Macintosh)'],
  ['Linux', 'Something (Linux)'],
  ['iPad', 'Something (iPad)'],
  ['My.Program-1', 'My.Program-1/2.0 (+https://example.com)'],
  ['p'.repeat(40), `${'p'.repeat(40)}/1`],
  ['Unknown device', `${'p'.repeat(41)}/1`],
  ['Unknown device', 'my program'],
  ['Unknown device', '1program/2'],
  ['Unknown device', `${' '.repeat(1000)}Firefox/145.0`],
  ['curl', 'curl/8.14.1'],
  ['node', 'node'],
  ['Android', 'Dalvik/2.1.0 (Linux; U; Android 15)'],
  ['Unknown device', 'Mozilla/5.0'],
  ['Unknown device', '<script>alert(1)</script>'],
  ['Unknown device', `${'x'.repeat(100_000)}`],
  ['Unknown device', ''],
  ['Unknown device', null],
])('%s', (name, userAgent) => {
  expect(deviceName(userAgent)).toBe(name)
})
