// Tests that are known to fail, each with what is known of why. They are run and shown as OPEN, never
// as passed; one that passes says that it should be taken off this list.
export const open = {
  'firefox: a link that leaves no answer shows the defaults and says why':
    'the sentence does not come in Firefox; Chromium shows it',
  'firefox without WebGL2: a link that leaves no answer shows the defaults and says why':
    'the same',
  'firefox: two widgets on a page are two':
    'Firefox refuses a screenshot outside of the view; the harness has to scroll first',
  'firefox: Tab enters, walks and leaves; Escape leaves':
    'Tab leaves after the first stop in Firefox; Chromium walks all',
  'firefox without WebGL2, without WebGL2: the page says why and works':
    'the page of Firefox without WebGL2 does not take the text face by itself',
};
