package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
)

// Clock is the CPU time of a bot, in milliseconds.
type Clock struct {
	AnswerMs    int64 `json:"answer_ms"`
	BankMs      int64 `json:"bank_ms"`
	StartMs     int64 `json:"start_ms"`
	IncrementMs int64 `json:"increment_ms"`
}

// Hello is the greeting.
type Hello struct {
	Game    string           `json:"game"`
	Rules   int64            `json:"rules"`
	Seat    int64            `json:"seat"`
	Seats   int64            `json:"seats"`
	Options map[string]any   `json:"options"`
	Clock   Clock            `json:"clock"`
	Limits  map[string]int64 `json:"limits"`
}

// End says how the match ended, by seat.
type End struct {
	Places []int64 `json:"places"`
	Scores []int64 `json:"scores"`
}

// Turn is a question with all that a seat may know.
type Turn struct {
	Hello  *Hello   `json:"-"`
	Number int64    `json:"number"` // your questions so far, from 1
	Ask    Question `json:"ask"`
	View   View     `json:"view"`
	Events []Event  `json:"events"`  // what your seat heard since its last question, oldest first
	LeftMs int64    `json:"left_ms"` // CPU milliseconds left for the match
}

// Play plays until the end; choose gives a legal answer to turn.Ask. Write to os.Stderr what you want to see yourself.
func Play(choose func(turn *Turn) Answer) *End {
	lines, hello := bufio.NewReaderSize(os.Stdin, 1<<16), &Hello{}
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil
		}
		if end := hear(line, hello, choose); end != nil {
			return end
		}
	}
}

// hear answers a line; of the last one it is the end.
func hear(line []byte, hello *Hello, choose func(turn *Turn) Answer) *End {
	switch tagOf(line) {
	case "hello":
		must(json.Unmarshal(line, hello))
		say(map[string]string{"t": "ready"})
		return nil
	case "question":
		turn := Turn{Hello: hello}
		must(json.Unmarshal(line, &turn))
		say(map[string]Answer{"action": choose(&turn)})
		return nil
	}
	end := &End{}
	must(json.Unmarshal(line, end))
	return end
}

func say(message any) {
	line, err := json.Marshal(message)
	must(err)
	_, err = os.Stdout.Write(append(line, '\n'))
	must(err)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Parameter is a number that `boardroom tune` may set; otherwise is what it is when nobody does.
func Parameter(name string, otherwise float64) float64 {
	if set, err := strconv.ParseFloat(os.Getenv("BOARDROOM_PARAM_"+name), 64); err == nil {
		return set
	}
	return otherwise
}

// Numbers is a list from 0 up, of so many.
func Numbers(many int) List[int64] {
	found := make(List[int64], many)
	for number := range found {
		found[number] = int64(number)
	}
	return found
}

// List is a slice that is written as [] where it is nil.
type List[T any] []T

// MarshalJSON writes it.
func (it List[T]) MarshalJSON() ([]byte, error) {
	if it == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]T(it))
}

// Map is a map that is written as {} where it is nil.
type Map[T any] map[string]T

// MarshalJSON writes it.
func (it Map[T]) MarshalJSON() ([]byte, error) {
	if it == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(map[string]T(it))
}

func tagOf(data []byte) string {
	var found struct {
		T string `json:"t"`
	}
	if json.Unmarshal(data, &found) != nil {
		return ""
	}
	return found.T
}

// tagged is an object with its tag before its fields.
func tagged(tag string, fields any) ([]byte, error) {
	data, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	head := append([]byte(`{"t":`), strconv.Quote(tag)...)
	if !bytes.Equal(data, []byte("{}")) {
		head = append(head, ',')
	}
	return append(head, data[1:]...), nil
}

// chosen reads into the record that its tag tells.
func chosen(name string, data []byte, kinds map[string]func() any) (any, error) {
	make, known := kinds[tagOf(data)]
	if !known {
		return nil, fmt.Errorf("%s cannot be %.60q", name, data)
	}
	it := make()
	return it, json.Unmarshal(data, it)
}
