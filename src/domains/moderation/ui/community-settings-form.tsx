import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Input, Textarea } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { client } from '../../../web/api-client.ts'
import { isServerError, safe } from '../../../web/call-outcome.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { useLeaveGuard } from '../../courses/ui/leave-guard.tsx'
import { moderationLimits as limits } from '../rules.ts'
import type { CommunitySettings } from '../schema.ts'
import type { TypedSettings } from './community-settings-check.ts'

const failed = 'Failed to save settings. Please try again.'

/** What checks comes after the page, and before it is needed. */
const loadCheck = () => import('./community-settings-check.ts')
type Check = Awaited<ReturnType<typeof loadCheck>>

const typedOf = ({
  blockedWords,
  firstPosts,
  firstPostsLinks,
}: CommunitySettings): TypedSettings => ({
  words: blockedWords.join('\n'),
  isLimited: firstPosts > 0,
  firstPosts: String(firstPosts || 3),
  links: String(firstPostsLinks),
})

type CommunitySettingsFormProps = { courseId: string; stored: CommunitySettings }

/** What may be written in the discussion of a course. Never concerns its instructor. */
export function CommunitySettingsForm({ courseId, stored }: CommunitySettingsFormProps) {
  const hydrated = useHydrated()
  const [saved, setSaved] = useState(() => typedOf(stored))
  const [typed, setTyped] = useState(saved)
  /** Null until somebody wanted to save. */
  const [check, setCheck] = useState<Check | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  /** The last answer was lost: what is stored is not known, and what is typed is meant as a whole. */
  const isUnsure = useRef(false)
  const problems = check?.problemsIn(typed) ?? {}
  const isDirty = JSON.stringify(typed) !== JSON.stringify(saved)
  const guard = useLeaveGuard(isDirty, 'What you changed in the settings is not saved yet.', {
    leadsOn: true,
  })
  const change = (part: Partial<TypedSettings>) => setTyped((before) => ({ ...before, ...part }))

  useEffect(() => {
    // A failure shows when saving.
    if (isDirty) loadCheck().catch(() => {})
  }, [isDirty])

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    setProblem(null)
    setBusy(true)
    const [missing, checks] = await safe(loadCheck())
    if (missing) {
      setBusy(false)
      return setProblem(failed)
    }
    flushSync(() => setCheck(checks))
    const wrong = form.querySelector<HTMLElement>('[aria-invalid]')
    if (wrong) {
      flushSync(() => setBusy(false))
      return wrong.focus()
    }
    const [error, kept] = await safe(
      client.moderation.saveCommunitySettings({
        courseId,
        ...checks.settingsIn(typed),
        begun: isUnsure.current ? undefined : checks.settingsIn(saved),
      }),
    )
    setBusy(false)
    isUnsure.current = error !== null && !isServerError(error)
    if (error) return setProblem(callProblem(error, failed))
    setCheck(null)
    setSaved(typedOf(kept))
    setTyped(typedOf(kept))
    void toast.success('The settings are saved.')
  }

  return (
    <>
      <form noValidate onSubmit={(event) => void save(event)} className="grid grid-cols-1 gap-6">
        <noscript>
          <Banner>Changing the rules needs JavaScript.</Banner>
        </noscript>
        {/* What is typed before the page is hydrated would be lost. */}
        <fieldset inert={!hydrated || busy} className="grid min-w-0 grid-cols-1 gap-6">
          <legend className="sr-only">The rules of this community</legend>
          <Card>
            <CardHeader
              title="Word filter"
              description="Posts and comments with one of these words are refused, and their author is told which. You can use them yourself."
            />
            <Field
              label="Blocked words"
              hint={`One per line, at most ${limits.blockedWords}. Upper and lower case are the same.`}
              error={problems.blockedWords}
            >
              <Textarea
                rows={6}
                value={typed.words}
                spellCheck={false}
                autoCapitalize="off"
                onChange={(event) => change({ words: event.target.value })}
              />
            </Field>
          </Card>
          <Card>
            <CardHeader
              title="Links of newcomers"
              description="Advertising is mostly written by people who have just joined."
            />
            <div className="grid gap-5">
              <Checkbox
                label="Limit the links in the first posts of a member"
                checked={typed.isLimited}
                onChange={(event) => change({ isLimited: event.target.checked })}
              />
              {typed.isLimited && (
                <div className="grid gap-5 sm:grid-cols-2">
                  <Field
                    label="First posts and comments"
                    hint={`From 1 to ${limits.firstPosts}`}
                    error={problems.firstPosts}
                  >
                    <Input
                      type="number"
                      inputMode="numeric"
                      min={1}
                      max={limits.firstPosts}
                      value={typed.firstPosts}
                      onChange={(event) => change({ firstPosts: event.target.value })}
                    />
                  </Field>
                  <Field
                    label="Links in each of them"
                    hint={`From 0 to ${limits.firstPostsLinks}`}
                    error={problems.firstPostsLinks}
                  >
                    <Input
                      type="number"
                      inputMode="numeric"
                      min={0}
                      max={limits.firstPostsLinks}
                      value={typed.links}
                      onChange={(event) => change({ links: event.target.value })}
                    />
                  </Field>
                </div>
              )}
            </div>
          </Card>
        </fieldset>
        {problem && (
          <Banner tone="danger" title="Not saved">
            {problem}
          </Banner>
        )}
        <Button
          type="submit"
          className="sm:justify-self-end"
          disabled={!hydrated}
          busy={busy}
          busyText="Saving..."
        >
          Save Settings
        </Button>
      </form>
      {/* It has a form of its own. */}
      {guard.dialog}
    </>
  )
}
