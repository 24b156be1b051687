/** Seconds as a player shows them: '0:07', '12:30', '1:02:03'. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0
    ? `${hours}:${padded(minutes)}:${padded(whole % 60)}`
    : `${minutes}:${padded(whole % 60)}`
}

const padded = (value: number) => String(value).padStart(2, '0')
