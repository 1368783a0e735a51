//! H.264 video in an `.mp4`: small, and plays in browsers, players and editors.
//!
//! openh264 is built from source, so nothing needs to be installed. Ropes are thin, and a limited
//! bit rate smears thin objects first. So there is no bit rate: every block of every frame is
//! quantised with the same step, and a film takes the bytes that it needs. There is a key frame
//! every second for quick scrubbing; no frame is skipped or reordered.
//!
//! The table of contents (`moov`) comes before the frames, so that a browser can start before it
//! has the whole file. Its space is reserved for the announced number of frames; it is written at
//! every key frame and at the end. The file is valid up to the last key frame at any time.
//!
//! Memory: one picture in YUV, the encoder's buffers, and 4 bytes per frame, plus 4 per key frame.
//!
//! Tests: `colours_come_back_as_they_were`, `every_frame_is_stored_in_order`,
//! `the_table_of_contents_comes_first`, `the_file_states_its_colour_space`,
//! `a_line_of_one_pixel_survives_motion`, `a_full_disk_loses_no_whole_second`.

use std::io::{Seek, SeekFrom, Write};

use openh264::{
    OpenH264API,
    encoder::{
        BitRate, Complexity, Encoder, EncoderConfig, FrameRate as Hertz, FrameType,
        IntraFramePeriod, QpRange, RateControlMode, UsageType, VuiConfig,
    },
    formats::YUVSlices,
};

use super::{MovieError, MovieSettings, boxes, boxes::Film, laid_on, yuv::Yuv};
use crate::Picture;

/// Announced bits per pixel and frame, which determine the level: 5.5 Mbit/s for 1280x720 at 30
/// frames a second. Not enforced; decoders size their buffers by it.
const BITS: f64 = 0.2;

/// Frame rates that the encoder accepts, per second. They affect only the announcement; the film
/// keeps its rate.
const KNOWN_RATES: (f64, f64) = (1.0, 60.0);

pub(super) struct Mp4<W> {
    out: W,
    settings: MovieSettings,
    encoder: Encoder,
    rgb: Vec<[u8; 3]>,
    yuv: Yuv,
    stream: Vec<u8>,
    sample: Vec<u8>,
    sizes: Vec<u32>,
    keys: Vec<u32>,
    /// Known after the first picture is encoded.
    started: Option<Started>,
}

struct Started {
    sequence: Vec<u8>,
    picture: Vec<u8>,
    /// Start of the file in `out`.
    origin: u64,
    /// Bytes reserved for `moov`, with 8 to spare for a `free` box.
    room: u64,
    /// Bytes of all frames.
    bytes: u64,
}

impl Started {
    fn film<'a>(
        &'a self,
        settings: &MovieSettings,
        yuv: &Yuv,
        sizes: &'a [u32],
        keys: &'a [u32],
    ) -> Film<'a> {
        Film {
            width: yuv.width as u32,
            height: yuv.height as u32,
            rate: settings.rate,
            sequence: &self.sequence,
            picture: &self.picture,
            sizes,
            keys,
            begin: (boxes::ftyp().len() as u64 + self.room + 16) as u32,
        }
    }
}

impl<W: Write + Seek> Mp4<W> {
    pub(super) fn new(out: W, settings: &MovieSettings, step: u8) -> Result<Self, MovieError> {
        let (width, height) = (settings.size.width() as usize, settings.size.height() as usize);
        let yuv = Yuv::new(width, height);
        let fps = settings.rate.per_second();
        let known = fps.clamp(KNOWN_RATES.0, KNOWN_RATES.1);
        let config = EncoderConfig::new()
            .usage_type(UsageType::CameraVideoRealTime)
            // The only mode that keeps to one step and skips no frames without a warning on stderr.
            .rate_control_mode(RateControlMode::Bufferbased)
            .qp(QpRange::new(step, step))
            .adaptive_quantization(false)
            // They would change the step, or skip small motion.
            .scene_change_detect(false)
            .background_detection(false)
            .bitrate(BitRate::from_bps((yuv.y.len() as f64 * known * BITS) as u32))
            .max_frame_rate(Hertz::from_hz(known as f32))
            .skip_frames(false)
            .complexity(Complexity::High)
            .intra_frame_period(IntraFramePeriod::from_num_frames(fps.ceil() as u32))
            // A picture is one slice, which uses only one thread.
            .num_threads(1)
            .vui(VuiConfig::bt709());
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config)
            .map_err(|error| encode_error(1, &error))?;
        Ok(Self {
            out,
            settings: *settings,
            encoder,
            rgb: Vec::with_capacity(settings.size.pixels()),
            yuv,
            stream: Vec::new(),
            sample: Vec::new(),
            sizes: Vec::new(),
            keys: Vec::new(),
            started: None,
        })
    }

    pub(super) fn add(&mut self, picture: &Picture) -> Result<(), MovieError> {
        let frame = self.sizes.len() as u32 + 1;
        let backdrop = self.settings.backdrop;
        self.rgb.clear();
        self.rgb.extend(picture.pixels().iter().map(|p| laid_on(*p, backdrop)));
        self.yuv.fill(&self.rgb, self.settings.size.width() as usize);

        let Yuv { width, height, y, cb, cr } = &self.yuv;
        let slices = YUVSlices::new((y, cb, cr), (*width, *height), (*width, width / 2, width / 2));
        let encoded = self.encoder.encode(&slices).map_err(|error| encode_error(frame, &error))?;
        let is_key = matches!(encoded.frame_type(), FrameType::IDR);
        self.stream.clear();
        encoded.write_vec(&mut self.stream);

        // In the file, a unit is preceded by its length instead of a start code, and the parameters
        // are stored once, in `moov`.
        self.sample.clear();
        let (mut sequence, mut parameters) = (None, None);
        for unit in units(&self.stream) {
            match unit[0] & 31 {
                7 => sequence = Some(unit),
                8 => parameters = Some(unit),
                _ => {
                    self.sample.extend((unit.len() as u32).to_be_bytes());
                    self.sample.extend(unit);
                }
            }
        }
        if self.sample.is_empty() {
            return Err(encode_error(frame, &"the encoder skipped it"));
        }
        if self.started.is_none() {
            let (Some(sequence), Some(parameters)) = (sequence, parameters) else {
                return Err(encode_error(frame, &"the encoder gave no parameters"));
            };
            let (sequence, parameters) = (sequence.to_vec(), parameters.to_vec());
            self.begin(sequence, parameters)?;
        } else if is_key {
            self.save()?;
        }
        self.out.write_all(&self.sample)?;
        self.sizes.push(self.sample.len() as u32);
        if is_key {
            self.keys.push(frame);
        }
        if let Some(started) = &mut self.started {
            started.bytes += self.sample.len() as u64;
        }
        Ok(())
    }

    /// Writes everything before the frames, with space for `moov`.
    fn begin(&mut self, sequence: Vec<u8>, picture: Vec<u8>) -> Result<(), MovieError> {
        let origin = self.out.stream_position()?;
        let mut started = Started { sequence, picture, origin, room: 0, bytes: 0 };
        let film = started.film(&self.settings, &self.yuv, &[], &[]);
        started.room = boxes::moov_most(&film, self.settings.frames) + 8;
        if started.room > u64::from(u32::MAX / 2) {
            return Err(MovieError::TooLong {
                format: "mp4",
                frame: self.settings.frames,
                most: u64::from(u32::MAX / 2),
            });
        }
        self.out.write_all(&boxes::ftyp())?;
        self.out.write_all(&boxes::free(started.room as u32))?;
        self.out.write_all(&boxes::mdat(0))?;
        self.started = Some(started);
        Ok(())
    }

    /// Makes the file valid with the frames so far.
    fn save(&mut self) -> Result<(), MovieError> {
        let Some(started) = &self.started else { return Ok(()) };
        let moov = boxes::moov(&started.film(&self.settings, &self.yuv, &self.sizes, &self.keys));
        let rest = started.room - moov.len() as u64;
        // Frames first: the table must not refer to frames that are not written.
        self.out.flush()?;
        let ftyp = boxes::ftyp().len() as u64;
        self.out.seek(SeekFrom::Start(started.origin + ftyp))?;
        self.out.write_all(&moov)?;
        self.out.write_all(&boxes::free(rest as u32)[..8])?;
        self.out.seek(SeekFrom::Start(started.origin + ftyp + started.room))?;
        self.out.write_all(&boxes::mdat(started.bytes))?;
        self.out.seek(SeekFrom::Current(started.bytes as i64))?;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<W, MovieError> {
        self.save()?;
        Ok(self.out)
    }
}

/// Units of a stream, without their start codes. Start codes cannot occur inside a unit.
fn units(stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut starts: Vec<usize> = Vec::new();
    let mut i = 0;
    while let Some(at) = find_start(&stream[i..]) {
        i += at + 3;
        starts.push(i);
    }
    let ends: Vec<usize> =
        starts.iter().skip(1).map(|next| next - 3).chain([stream.len()]).collect();
    starts
        .into_iter()
        .zip(ends)
        .map(|(start, end)| {
            let unit = &stream[start..end];
            // A unit ends in a set bit; zeros after it belong to the next start code.
            let length = unit.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
            &unit[..length]
        })
        .filter(|unit| !unit.is_empty())
}

fn find_start(bytes: &[u8]) -> Option<usize> {
    bytes.windows(3).position(|w| w == [0, 0, 1])
}

fn encode_error(frame: u32, reason: &dyn std::fmt::Display) -> MovieError {
    MovieError::Encode { format: "mp4", frame, reason: reason.to_string() }
}
