//! JSON, read and written with the standard library alone.
#![allow(dead_code)]

/// Any JSON. Whole numbers that an `i64` cannot hold are read as `Float`.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    #[default]
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

/// Lists and objects may be this deep in each other.
pub const DEEPEST: usize = 200;

impl Value {
    /// The value of a name; of one that is there twice, the last.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Map(entries) => entries.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }
}

/// The value that is all of a text.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut reader = Reader { bytes: text.as_bytes(), at: 0, depth: 0 };
    let value = reader.value()?;
    reader.blank();
    if reader.at < text.len() { Err(reader.bad("the end")) } else { Ok(value) }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn bad(&self, wanted: &str) -> String {
        format!("the JSON has no {wanted} at byte {}", self.at)
    }

    fn blank(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    /// The next byte; 0 at the end.
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    /// Whether this byte is next, behind blanks; then it is taken.
    fn takes(&mut self, sign: u8) -> bool {
        self.blank();
        let here = self.peek() == sign;
        self.at += usize::from(here);
        here
    }

    fn value(&mut self) -> Result<Value, String> {
        self.blank();
        match self.peek() {
            b'"' => Ok(Value::Text(self.text()?)),
            b'[' => self.within(Self::list),
            b'{' => self.within(Self::map),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => self.number(),
        }
    }

    fn within(&mut self, read: fn(&mut Self) -> Result<Value, String>) -> Result<Value, String> {
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("the JSON is more than {DEEPEST} deep at byte {}", self.at));
        }
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn list(&mut self) -> Result<Value, String> {
        let mut items = Vec::new();
        if self.takes(b']') {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value()?);
            if self.takes(b']') {
                return Ok(Value::List(items));
            }
            if !self.takes(b',') {
                return Err(self.bad("comma"));
            }
        }
    }

    fn map(&mut self) -> Result<Value, String> {
        let mut entries = Vec::new();
        if self.takes(b'}') {
            return Ok(Value::Map(entries));
        }
        loop {
            self.blank();
            let key = self.text()?;
            if !self.takes(b':') {
                return Err(self.bad("colon"));
            }
            entries.push((key, self.value()?));
            if self.takes(b'}') {
                return Ok(Value::Map(entries));
            }
            if !self.takes(b',') {
                return Err(self.bad("comma"));
            }
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, String> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.bad("value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, String> {
        let start = self.at;
        while matches!(self.peek(), b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') {
            self.at += 1;
        }
        let text = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or("");
        if !is_number(text) {
            self.at = start;
            return Err(self.bad("value"));
        }
        Ok(text.parse().map(Value::Int).unwrap_or_else(|_| Value::Float(text.parse().unwrap_or(f64::NAN))))
    }

    fn text(&mut self) -> Result<String, String> {
        if self.peek() != b'"' {
            return Err(self.bad("text"));
        }
        self.at += 1;
        let mut found = Vec::new();
        loop {
            match self.peek() {
                b'"' => break,
                b'\\' => self.escape(&mut found)?,
                0..=31 => return Err(self.bad("end of the text")),
                sign => {
                    found.push(sign);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        String::from_utf8(found).map_err(|_| self.bad("text in UTF-8"))
    }

    fn escape(&mut self, found: &mut Vec<u8>) -> Result<(), String> {
        self.at += 2;
        let sign = match self.bytes.get(self.at - 1) {
            Some(sign @ (b'"' | b'\\' | b'/')) => *sign as char,
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => self.unicode()?,
            _ => return Err(self.bad("escape")),
        };
        found.extend(sign.encode_utf8(&mut [0; 4]).bytes());
        Ok(())
    }

    /// A character of one escape, or of two that are a pair; half of a pair alone becomes U+FFFD.
    fn unicode(&mut self) -> Result<char, String> {
        let first = self.hexadecimal()?;
        let before = self.at;
        if (0xd800..0xdc00).contains(&first) && self.bytes[self.at..].starts_with(b"\\u") {
            self.at += 2;
            let second = self.hexadecimal()?;
            if (0xdc00..0xe000).contains(&second) {
                let whole = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(whole).unwrap_or('\u{fffd}'));
            }
            self.at = before;
        }
        Ok(char::from_u32(first).unwrap_or('\u{fffd}'))
    }

    fn hexadecimal(&mut self) -> Result<u32, String> {
        let digits = self.bytes.get(self.at..self.at + 4).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let digits = digits.ok_or_else(|| self.bad("four hexadecimal digits"))?;
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| self.bad("number"))
    }
}

/// As JSON spells numbers: no leading zero or plus, digits on both sides of the point.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (text, "0"),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    digits(whole) && digits(part) && digits(exponent) && (whole == "0" || !whole.starts_with('0'))
}

/// Writes a value behind what is in `out`.
pub fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(it) => out.push_str(if *it { "true" } else { "false" }),
        Value::Int(it) => out.push_str(&it.to_string()),
        Value::Float(it) if it.is_finite() => out.push_str(&format!("{it:?}")),
        Value::Float(_) => out.push_str("null"), // JSON has no NaN and nothing infinite
        Value::Text(it) => write_text(it, out),
        Value::List(items) => {
            write_all('[', items.iter(), ']', out, |item, out| write(item, out));
        }
        Value::Map(entries) => write_all('{', entries.iter(), '}', out, |(key, value), out| {
            write_text(key, out);
            out.push(':');
            write(value, out);
        }),
    }
}

/// Items between brackets, with commas between them.
pub fn write_all<T>(open: char, items: impl Iterator<Item = T>, close: char, out: &mut String, each: impl Fn(T, &mut String)) {
    out.push(open);
    for (number, item) in items.enumerate() {
        if number > 0 {
            out.push(',');
        }
        each(item, out);
    }
    out.push(close);
}

pub fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for sign in text.chars() {
        match sign {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{0}'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", sign as u32)),
            _ => out.push(sign),
        }
    }
    out.push('"');
}
