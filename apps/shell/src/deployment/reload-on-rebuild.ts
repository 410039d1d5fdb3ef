// Only in a development build (libs/web-kit/build/shell-build.ts). A reload restores the step and the typed text.
new EventSource('/rebuilds').addEventListener('message', () => location.reload());
