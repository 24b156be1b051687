// What is typed without `--` before it npm keeps for itself, and the command would do something else.

/**
 * Ends the process with a sentence when npm has one of these options of ours.
 * @param {string[]} options without their dashes
 * @param {string} command what was typed and came through
 */
export function refuseTakenByNpm(options, command) {
  const taken = options.flatMap((option) => {
    const value = process.env[`npm_config_${option.replaceAll('-', '_')}`]
    if (value === undefined) return []
    // For `--no-pro` npm leaves `pro` empty.
    if (value === '') return [`--no-${option}`]
    return [value === 'true' ? `--${option}` : `--${option}=${value}`]
  })
  if (taken.length === 0) return
  const said = taken.join(' ')
  console.error(`npm took ${said} for itself: npm run ${command} ${said}`)
  process.exit(1)
}
