/** Lines of the icons, on a field of 24 by 24. One constant each, so that a remote's bundle contains only the icons it shows. */
export const BACK = 'M15 5l-7 7 7 7';
export const CHECK = 'M5 12.5l4.5 4.5L19 7.5';
export const CLOCK = 'M12 3a9 9 0 100 18 9 9 0 000-18zm0 4.5V12l3 2';
export const COPY = 'M9 9h10v11H9zM5 15V4h10';
export const DOWNLOAD = 'M12 4v11m-5-5l5 5 5-5M5 20h14';
export const EXTERNAL = 'M8 5H5v14h14v-3M13 5h6v6m0-6l-9 9';
export const WARNING = 'M12 4L2.5 20h19zM12 10v4.5m0 2.2v.3';
