// Part of a development build alone (libs/web-kit/build/shell-build.ts). A reload comes back to the step and to what was typed.
new EventSource('/rebuilds').addEventListener('message', () => location.reload());
