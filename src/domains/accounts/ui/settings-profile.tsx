import { useEffect, useRef, useState } from 'react'
import {
  Form,
  Link,
  useActionData,
  useLoaderData,
  useNavigation,
  useRevalidator,
} from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Field, Input, Textarea } from '../../../ui/field.tsx'
import { useLeaveGuard } from '../../courses/ui/leave-guard.tsx'
import { platformLabel, platforms } from '../profile-links.ts'
import { limits } from '../rules.ts'
import type { MyProfile } from '../schema.ts'
import { SocialGlyph } from './social-glyph.tsx'
import { AvatarSetting } from './settings-avatar.tsx'
import { socialField } from './settings-profile-form.ts'
import type { action, loader } from './settings.tsx'

/** Picture, profile form and Social Links. */
export function ProfileTab() {
  const { profile } = useLoaderData<typeof loader>()
  const { revalidate } = useRevalidator()

  return (
    <>
      <AvatarSetting
        name={profile.name}
        avatarUrl={profile.avatarUrl}
        onChange={() => void revalidate()}
      />
      <ProfileForm profile={profile} />
    </>
  )
}

function ProfileForm({ profile }: { profile: MyProfile }) {
  const answer = useActionData<typeof action>()
  // The version belongs to the values that were there at first: what another tab saves must not get lost.
  const [start] = useState(answer?.typed ?? profile)
  const [bio, setBio] = useState(start.bio)
  const [isDirty, setIsDirty] = useState(false)
  const guard = useLeaveGuard(isDirty, 'What you changed in your profile is not saved yet.')
  const busy = useNavigation().formAction === '/settings'
  const form = useRef<HTMLFormElement>(null)
  const problems = answer?.fields ?? {}
  const faults = Object.values(problems)

  useEffect(() => {
    if (answer) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [answer])

  return (
    <>
      <Form
        ref={form}
        method="post"
        action="/settings"
        noValidate
        onInput={() => setIsDirty(true)}
        className="grid grid-cols-1 gap-6"
      >
        <input type="hidden" name="version" value={start.version} />
        <Card>
          <CardHeader title="Profile" description="What others see of you." />
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
            <Field label="Display Name" required error={problems.name}>
              <Input
                name="name"
                autoComplete="name"
                maxLength={limits.name}
                defaultValue={start.name}
              />
            </Field>
            <Field
              label="Username"
              required
              error={problems.username}
              hint={
                <>
                  Your profile is at{' '}
                  <Link
                    to={`/user/${profile.username}`}
                    className="font-medium wrap-anywhere text-ink underline"
                  >
                    /user/{profile.username}
                  </Link>
                  . When you change it, links to the old address stop working.
                </>
              }
            >
              <Input
                name="username"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={limits.username}
                defaultValue={start.username}
              />
            </Field>
            <Field
              label="Email Address"
              required
              hint={
                <>
                  Only you can see it. Change it under{' '}
                  <Link
                    to="#security"
                    preventScrollReset
                    className="font-medium text-ink underline"
                  >
                    Account & Security
                  </Link>
                  , as a new address has to be confirmed.
                </>
              }
              className="sm:col-span-2"
            >
              <Input type="email" readOnly value={profile.email} placeholder="No email address" />
            </Field>
            <Field
              label="Bio"
              className="sm:col-span-2"
              optional
              error={problems.bio}
              aside={<CharacterCount value={bio} max={limits.bio} />}
            >
              <Textarea
                name="bio"
                rows={4}
                defaultValue={start.bio}
                onChange={(event) => setBio(event.target.value)}
              />
            </Field>
            <Field label="Website" optional error={problems.website} className="sm:col-span-2">
              <Input
                type="url"
                name="website"
                inputMode="url"
                autoComplete="url"
                placeholder="https://"
                maxLength={limits.website}
                defaultValue={start.website}
              />
            </Field>
          </div>
        </Card>
        <Card>
          <CardHeader
            title="Social Links"
            description="Your handle, or the whole address of your page."
          />
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
            {platforms.map((platform) => (
              <Field
                key={platform}
                error={problems[socialField(platform)]}
                label={
                  <span className="inline-flex items-center gap-2">
                    <SocialGlyph platform={platform} className="size-6 text-[0.6875rem]" />
                    {platformLabel(platform)}
                  </span>
                }
              >
                <Input
                  name={socialField(platform)}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  maxLength={limits.social}
                  defaultValue={start.social[platform]}
                />
              </Field>
            ))}
          </div>
        </Card>
        {answer && (
          <Banner
            tone="danger"
            title="Not saved"
            action={
              answer.conflict && (
                <ButtonLink to="/settings" reloadDocument variant="secondary" size="sm">
                  Load it again
                </ButtonLink>
              )
            }
          >
            {faults.length > 1 ? (
              <ul className="list-disc pl-5">
                {faults.map((fault) => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            ) : (
              answer.problem
            )}
          </Banner>
        )}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <ButtonLink to="/dashboard" variant="secondary">
            Cancel
          </ButtonLink>
          <Button type="submit" busy={busy} busyText="Saving...">
            Save Changes
          </Button>
        </div>
      </Form>
      {/* It has a form of its own. */}
      {guard.dialog}
    </>
  )
}
