// Every address a person can visit, and the module that answers it.
import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

export default [
  index('domains/site/ui/home.tsx'),
  route('about', 'domains/site/ui/about.tsx'),
  route('privacy', 'domains/site/ui/privacy.tsx'),
  route('terms', 'domains/site/ui/terms.tsx'),
  route('explore', 'domains/courses/ui/explore.tsx'),
  route('course/:slug', 'domains/courses/ui/course-page.tsx'),
  route('user/:username', 'domains/accounts/ui/public-profile.tsx'),
  route('login', 'domains/accounts/ui/login.tsx'),
  route('login/two-step', 'domains/accounts/ui/sign-in/two-step.tsx'),
  route('login/link', 'domains/accounts/ui/sign-in/log-in-link.tsx'),
  route('login/sso', 'domains/accounts/ui/sign-in/log-in-sso.tsx'),
  route('login/with/:provider', 'domains/accounts/ui/sign-in/log-in-with.ts'),
  route('signup', 'domains/accounts/ui/signup.tsx'),
  route('confirm-email', 'domains/accounts/ui/sign-in/confirm-email.tsx'),
  route('forgot-password', 'domains/accounts/ui/sign-in/forgot-password.tsx'),
  route('reset-password', 'domains/accounts/ui/sign-in/reset-password.tsx'),
  route('logout', 'domains/accounts/ui/logout.tsx'),
  layout('web/signed-in.tsx', [
    route('dashboard', 'domains/courses/ui/dashboard.tsx'),
    route('settings', 'domains/accounts/ui/settings.tsx'),
    route('settings/password', 'domains/accounts/ui/security/password-page.tsx'),
    route('settings/delete-account', 'domains/accounts/ui/security/delete-account-page.tsx'),
    route('create-course', 'domains/courses/ui/create-course.tsx'),
    route('create-lessons/:courseId', 'domains/courses/ui/edit-content.tsx'),
    route('course/:slug/dashboard', 'domains/courses/ui/member-page.tsx'),
    route('course/:courseSlug/lesson/:lessonSlug', 'domains/lessons/ui/lesson-page.tsx'),
    route('lesson/:lessonId', 'domains/lessons/ui/lesson-by-id.tsx'),
  ]),
  route('*', 'domains/site/ui/not-found.tsx'),
] satisfies RouteConfig
